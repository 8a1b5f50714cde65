package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// The flow of a pair of triangles. A flow that changes the volume ties the volume of each triangle
// to its own shear. Two triangles that share their volume would then have to dilate by the mean
// of their shears' amounts, which is more than the amount of the mean shear, and a footing
// carries 10 to 70 % more than in theory. So a pair flows by its mean strain, as a quadrilateral
// with one point of integration does (Flanagan and Belytschko, International Journal for
// Numerical Methods in Engineering 17 (1981) 679-706). With the elastic trial strains e_i, the
// volumes V_i and the return r of the law,
//
//	e = (V_1 e_1 + V_2 e_2)/(V_1 + V_2), e_i = r(e) + theta dev(e_i - e)
//
// The differences from the mean are elastic and keep their volume. The root of J_2 of the stress
// by them is at most what the mean left of the strength before the step, nothing if it flowed, and
// a hundredth of the mean's. So an increment of a static analysis has a potential, and its tangent
// is symmetric. A pair within both limits is elastic, as single triangles are.

// pairing is a law whose pairs flow by their mean strain.
type pairing interface {
	// returned returns the principal stresses of principal trial strains in plane strain, the growth
	// of the softening strain, and whether the law flows.
	returned(e [3]float64, opened, rate float64) (t [3]float64, opens float64, flows bool)
	// reserve returns by how much the root of J_2 [Pa] may grow, whatever the direction, from principal
	// stresses that do not flow, t[0] >= t[1], before the law flows.
	reserve(t [3]float64, opened, rate float64) float64
	// begin returns a triangle's softening strain, and its factor by the triangle's size.
	begin(in *Input, i int) (opened, rate float64)
	end(out *Output, i int, opened float64)
}

// strained is a strain in plane strain.
type strained struct {
	symmetric
	zz float64
}

// pairTrial is the trial of a pair: the elastic strains of both, and their mean by volume.
type pairTrial struct {
	of      [2]strained
	mean    strained
	apart   [2]strained // deviators of the differences from the mean
	weight  [2]float64
	g       [2]inverse
	opened  [2]float64
	softens float64 // mean softening strain
	rate    float64
}

func newPairTrial(l pairing, in *Input, i int, volume []float64) (p pairTrial) {
	sum := volume[i] + volume[i+1]
	for k := range p.of {
		p.g[k] = inverseOf(in, i+k)
		t := newTrial(in.FXX[i+k], in.FXY[i+k], in.FYX[i+k], in.FYY[i+k], &p.g[k])
		e1, e2 := halfLog(t.l1), halfLog(t.l2)
		m, d := float64(0.5*(e1+e2)), float64(0.5*(e1-e2))
		p.of[k] = strained{symmetric{m + float64(d*t.cos2), m - float64(d*t.cos2), float64(d * t.sin2)}, halfLog(p.g[k].zz)}
		p.weight[k] = volume[i+k] / sum
		var rate float64
		p.opened[k], rate = l.begin(in, i+k)
		p.softens += float64(p.weight[k] * p.opened[k])
		p.rate += float64(p.weight[k] * rate * rate)
	}
	p.rate = math.Sqrt(p.rate) // by the root of the mean area
	p.mean = p.of[0].plus(p.of[1].less(p.of[0]), p.weight[1])
	for k := range p.of {
		d := p.of[k].less(p.mean)
		third := float64((d.xx + d.yy + d.zz) * (1. / 3))
		p.apart[k] = strained{symmetric{d.xx - third, d.yy - third, d.xy}, d.zz - third}
	}
	return p
}

func (a strained) plus(b strained, of float64) strained {
	return strained{symmetric{a.xx + float64(of*b.xx), a.yy + float64(of*b.yy), a.xy + float64(of*b.xy)}, a.zz + float64(of*b.zz)}
}

func (a strained) less(b strained) strained { return a.plus(b, -1) }

// dot returns a : b.
func (a strained) dot(b strained) float64 {
	return float64(a.xx*b.xx) + float64(a.yy*b.yy) + float64(2*a.xy*b.xy) + float64(a.zz*b.zz)
}

// principal returns the principal values, and the cosine and sine of twice the angle of the first.
func (a strained) principal() (e [3]float64, cos2, sin2 float64) {
	m, d := float64(0.5*(a.xx+a.yy)), float64(0.5*(a.xx-a.yy))
	r := math.Sqrt(float64(d*d) + float64(a.xy*a.xy))
	if cos2 = 1; r > 0 {
		cos2, sin2 = d/r, a.xy/r
	}
	return [3]float64{m + r, m - r, a.zz}, cos2, sin2
}

// inAxes returns the tensor of principal values.
func inAxes(t [3]float64, cos2, sin2 float64) strained {
	m, d := float64(0.5*(t[0]+t[1])), float64(0.5*(t[0]-t[1]))
	return strained{symmetric{m + float64(d*cos2), m - float64(d*cos2), float64(d * sin2)}, t[2]}
}

// stress returns the stress of an elastic strain.
func (h *hooke) stress(e strained) strained {
	lambda, twice := float64((h.Bulk-float64(2./3*h.Shear))*(e.xx+e.yy+e.zz)), 2*h.Shear
	return strained{symmetric{lambda + float64(twice*e.xx), lambda + float64(twice*e.yy), float64(twice * e.xy)}, lambda + float64(twice*e.zz)}
}

// root returns the root of J_2 of a deviator.
func (a strained) root() float64 { return math.Sqrt(float64(0.5 * a.dot(a))) }

// pairReturn is a pair after the return: the elastic strain of its mean, the growth of the softening
// strain, theta, the reserve of its strength, and whether it stays elastic.
type pairReturn struct {
	mean                  strained
	opens, theta, reserve float64
	elastic               bool
}

// returnPair returns a pair of which the reserve was known before the step.
func (h *hooke) returnPair(l pairing, p *pairTrial, reserve float64) (r pairReturn) {
	e, cos2, sin2 := p.mean.principal()
	t, opens, flows := l.returned(e, p.softens, p.rate)
	r = pairReturn{mean: p.mean, theta: 1, opens: opens}
	if most := float64(2 * h.Shear * max(p.apart[0].root(), p.apart[1].root())); most > reserve {
		r.theta = reserve / most
	}
	if r.elastic = !flows && r.theta == 1; flows {
		r.mean = inAxes(h.strains(&t), cos2, sin2)
	} else {
		r.reserve = max(0, l.reserve(t, p.softens, p.rate))
	}
	r.reserve += always(t)
	return r
}

// alwaysLeft is the part of the mean's root of J_2 that is always left for differences in a pair, so
// that pairs which flow are no mechanism.
const alwaysLeft = 0.01

// always returns what is always left of the strength, from the principal stresses of the mean.
func always(t [3]float64) float64 {
	a := inAxes(t, 1, 0)
	third := float64((a.xx + a.yy + a.zz) * (1. / 3))
	return float64(alwaysLeft * strained{symmetric{a.xx - third, a.yy - third, 0}, a.zz - third}.root())
}

// share is Share of a law with this elasticity.
func (h *hooke) share(l pairing, in *Input, out *Output, volume []float64) {
	strain, before := out.Mem[strainAt], in.Mem[strainAt]
	for i := 0; i+1 < len(volume); i += 2 {
		if !(volume[i] > 0 && volume[i+1] > 0) {
			continue
		}
		reserve := in.Mem[reserveAt][i]
		if strain[i] == before[i] && strain[i+1] == before[i+1] {
			if left, within := h.staysElastic(l, in, out, i, volume); within {
				out.Mem[reserveAt][i], out.Mem[reserveAt][i+1] = left, left
				continue
			}
		}
		p := newPairTrial(l, in, i, volume)
		r := h.returnPair(l, &p, reserve)
		for k := range p.of {
			e := p.of[k]
			if !r.elastic {
				e = r.mean.plus(p.apart[k], r.theta)
			}
			h.settle(in, out, i+k, &p, k, e)
			out.Mem[reserveAt][i+k] = r.reserve
			l.end(out, i+k, p.opened[k]+r.opens)
		}
	}
}

// staysElastic tells whether a pair of which neither triangle flows by itself is within its
// reserve, and returns the reserve that is left.
func (h *hooke) staysElastic(l pairing, in *Input, out *Output, i int, volume []float64) (reserve float64, within bool) {
	j := i + 1
	sum := volume[i] + volume[j]
	d := strained{symmetric{out.TXX[i] - out.TXX[j], out.TYY[i] - out.TYY[j], out.TXY[i] - out.TXY[j]}, out.TZZ[i] - out.TZZ[j]}
	third := float64((d.xx + d.yy + d.zz) * (1. / 3))
	apart := strained{symmetric{d.xx - third, d.yy - third, d.xy}, d.zz - third}
	if float64(max(volume[i], volume[j])/sum*apart.root()) > in.Mem[reserveAt][i] {
		return 0, false
	}
	w := volume[j] / sum
	mean := strained{symmetric{out.TXX[i], out.TYY[i], out.TXY[i]}, out.TZZ[i]}.plus(d, -w)
	t, _, _ := mean.principal()
	first, rate := l.begin(in, i)
	second, other := l.begin(in, j)
	return always(t) + max(0, l.reserve(t, first+float64(w*(second-first)), math.Sqrt(float64((1-w)*rate*rate)+float64(w*other*other)))), true
}

// settle sets the output of triangle i, number k of a pair, from its elastic strain e after the
// flow.
func (h *hooke) settle(in *Input, out *Output, i int, p *pairTrial, k int, e strained) {
	plastic, stress := p.of[k].less(e), h.stress(e)
	was := stress
	if in.tracksWork() {
		was = h.stress(p.of[k].less(strained{in.increment(i), in.thickening(i)}))
	}
	out.Mem[strainAt][i] = in.Mem[strainAt][i] + math.Sqrt(float64(2./3*plastic.dot(plastic)))
	out.Mem[workAt][i] = in.Mem[workAt][i] + float64(0.5*was.plus(stress, 1).dot(plastic))
	axes, cos2, sin2 := e.principal()
	t := trial{cos2: cos2, sin2: sin2}
	g := t.flowed(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i], axes[0], axes[1])
	g.zz = elementary.Exp(2 * e.zz)
	g.put(in, out, i)
	out.TXX[i], out.TYY[i], out.TXY[i], out.TZZ[i] = stress.xx, stress.yy, stress.xy, stress.zz
	out.Energy[i] = float64(0.5 * stress.dot(e))
}

// pairTangent is PairTangent of a law with this elasticity.
func (h *hooke) pairTangent(l interface {
	Law
	pairing
}, in *Input, volume [2]float64) *PairTangent {
	p := newPairTrial(l, in, 0, volume[:])
	r := h.returnPair(l, &p, in.Mem[reserveAt][0])
	to := &PairTangent{Apart: max(r.theta, leastApart), Shear: h.Shear, Elastic: r.elastic}
	if root := p.apart[0].root(); r.theta < 1 && root > 0 {
		of := 1 / (math.Sqrt2 * root)
		to.Along = [3]float64{of * p.apart[0].xx, of * p.apart[0].yy, of * p.apart[0].xy}
	}
	for k := range to.Of {
		h.elasticResponse.Tangent(in, k, &to.Of[k])
		if r.elastic {
			continue
		}
		t := h.stress(r.mean.plus(p.apart[k], r.theta))
		to.Of[k].TXX, to.Of[k].TYY, to.Of[k].TXY = t.xx, t.yy, t.xy
	}
	// One triangle without deformation whose trial is the mean.
	e, cos2, sin2 := p.mean.principal()
	t := trial{cos2: cos2, sin2: sin2}
	g := t.flowed(1, 0, 0, 1, e[0], e[1])
	g.zz = elementary.Exp(2 * p.mean.zz)
	one := Input{Plane: PlaneStrain, FXX: []float64{1}, FXY: []float64{0}, FYX: []float64{0}, FYY: []float64{1}}
	for range in.Mem {
		one.Mem = append(one.Mem, []float64{0})
	}
	g.set(one.Mem, 0)
	var tangent Tangent
	l.Tangent(&one, 0, &tangent)
	to.Mean = tangent.C
	return to
}

// leastApart is the least part of the elastic stiffness that the tangent has for differences in a
// pair, for iterations that converge.
const leastApart = 1e-2
