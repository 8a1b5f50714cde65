package bulk

import "math"

// MohrCoulomb is the plasticity of soil and rock, with a shear strength of cohesion and
// friction, flow with dilation, and a cut-off of tension,
//
//	f = t_1 - t_3 + (t_1 + t_3) sin phi - 2 c cos phi, f_t = t_1 - f_t
//
// on principal Kirchhoff stresses t_1 >= t_2 >= t_3, tension positive. The return is by
// active sets of the six planes of both (Koiter's rule). It takes the first set whose
// multipliers are positive and whose stress violates no other plane. If only one plane is
// reached, it is that of E. A. de Souza Neto, D. Peric and D. R. J. Owen, box 8.5. In plane
// stress the third stress is zero, and the return uses the stiffness in the plane.
type MohrCoulomb struct {
	hooke
	Softening
	stress, strain surface // in plane stress and plane strain
}

func init() {
	Register(Model{
		Name:       "mohr-coulomb",
		Title:      "soil and rock: cohesion and friction with dilation, tension cut-off and softening",
		Source:     "E. A. de Souza Neto, D. Peric and D. R. J. Owen, Computational Methods for Plasticity, 2008, section 8.2; finite strain: section 14.4; corners: W. T. Koiter, Quarterly of Applied Mathematics 11 (1953) 350-354; softening: Z. P. Bazant and B. H. Oh, Materials and Structures 16 (1983) 155-177",
		Formula:    "f = t_1 - t_3 + (t_1 + t_3) sin(phi) - 2 c cos(phi)\nf_t = t_1 - f_0\ntau = K tr e + 2 G dev e, e = ln(b)/2\nc = c_0 s, f_0 = T s\ns = exp(-k h T/G_f)",
		Parameters: frictionParameters,
		Groups:     softeningGroup,
		Curves:     []Curve{softeningCurve},
		New:        newMohrCoulomb,
	})
}

func newMohrCoulomb(e Elastic, c Constants) (Law, error) {
	a, soft, err := newFriction(e, c)
	if err != nil {
		return nil, err
	}
	l := &MohrCoulomb{hooke: newHooke(e), Softening: soft}
	l.stress = newSurface(l.matrix(PlaneStress), PlaneStress, a.sin, a.cos, a.sinFlow, a.cohesion, soft.Tensile)
	l.strain = newSurface(l.matrix(PlaneStrain), PlaneStrain, a.sin, a.cos, a.sinFlow, a.cohesion, soft.Tensile)
	return l, nil
}

// Memory implements Law.
func (l *MohrCoulomb) Memory() []Value { return l.memory() }

// Symmetric implements Unsymmetric.
func (l *MohrCoulomb) Symmetric() error { return l.symmetric() }

func (l *MohrCoulomb) surface(p Plane) *surface {
	if p == PlaneStress {
		return &l.stress
	}
	return &l.strain
}

// Eval implements Law.
func (l *MohrCoulomb) Eval(in *Input, out *Output) {
	s := l.surface(in.Plane)
	if in.Plane == PlaneStrain {
		l.elastic(in, out)
	}
	for i := range in.FXX {
		opened, rate := l.begin(in, i)
		if in.Plane == PlaneStrain && l.within(out, i, l.factor(opened*rate)) {
			l.end(out, i, opened)
			continue
		}
		l.one(in, out, i, s)
	}
}

// within tells whether the stress of triangle i in plane strain is within the yield surface.
func (l *MohrCoulomb) within(out *Output, i int, strength float64) bool {
	most, least := out.principal(i)
	f := &l.strain.faces[0]
	return float64(f.n[0]*most)+float64(f.n[2]*least) <= float64(strength*f.limit) && most <= float64(strength*l.Tensile)
}

// one is Eval for triangle i.
func (l *MohrCoulomb) one(in *Input, out *Output, i int, s *surface) {
	w := beginFlow(in, i)
	order := sorted(in.Plane, &w.strain)
	e := [3]float64{w.strain[order[0]], w.strain[order[1]], w.strain[order[2]]}
	opened, rate := l.begin(in, i)
	r := s.back(stresses(&s.stiffness, &e), &l.Softening, opened, rate)
	var t [3]float64
	for k, at := range order {
		t[at] = r.t[k]
	}
	w.end(&l.hooke, in, out, i, &t, r.set != nil, r.across)
	l.end(out, i, opened+r.opens)
}

// Share implements Sharing.
func (l *MohrCoulomb) Share(in *Input, out *Output, volume []float64) { l.share(l, in, out, volume) }

// PairTangent implements Sharing.
func (l *MohrCoulomb) PairTangent(in *Input, volume [2]float64) *PairTangent {
	return l.pairTangent(l, in, volume)
}

// returned implements pairing.
func (l *MohrCoulomb) returned(e [3]float64, opened, rate float64) (t [3]float64, opens float64, flows bool) {
	order := sorted(PlaneStrain, &e)
	e = [3]float64{e[order[0]], e[order[1]], e[order[2]]}
	r := l.strain.back(stresses(&l.strain.stiffness, &e), &l.Softening, opened, rate)
	for k, at := range order {
		t[at] = r.t[k]
	}
	return t, r.opens, r.set != nil
}

// reserve implements pairing. The greatest growth of n t by a deviator with the root r of J_2 is
// sqrt(2) r |dev n|.
func (l *MohrCoulomb) reserve(t [3]float64, opened, rate float64) float64 {
	most, least, strength := max(t[0], t[2]), min(t[1], t[2]), l.factor(opened*rate)
	f := &l.strain.faces[0]
	sin := float64(0.5 * (f.n[0] + f.n[2]))
	shear := (float64(strength*f.limit) - float64(f.n[0]*most) - float64(f.n[2]*least)) / (2 * math.Sqrt(1+float64(sin*sin*(1./3))))
	return min(shear, float64(0.5*math.Sqrt(3)*(float64(strength*l.Tensile)-most)))
}

// Tangent implements Law.
func (l *MohrCoulomb) Tangent(in *Input, i int, to *Tangent) {
	s := l.surface(in.Plane)
	w := beginFlow(in, i)
	order := sorted(in.Plane, &w.strain)
	e := [3]float64{w.strain[order[0]], w.strain[order[1]], w.strain[order[2]]}
	opened, rate := l.begin(in, i)
	r := s.back(stresses(&s.stiffness, &e), &l.Softening, opened, rate)
	of := s.tangent(&r, &l.Softening, opened, rate)
	var t [3]float64
	var d [3][3]float64
	for k, at := range order {
		t[at] = r.t[k]
		for j, by := range order {
			d[at][by] = of[k][j]
		}
	}
	w.tangent(to, t[0], t[1], [2][2]float64{{d[0][0], d[0][1]}, {d[1][0], d[1][1]}})
}

// sorted returns the order of principal strains, greatest first. It is also the order
// of the trial's stresses. In plane stress the third stays last.
func sorted(plane Plane, e *[3]float64) [3]int8 {
	switch { // e[0] >= e[1]
	case plane == PlaneStress || e[2] <= e[1]:
		return [3]int8{0, 1, 2}
	case e[2] <= e[0]:
		return [3]int8{0, 2, 1}
	}
	return [3]int8{2, 0, 1}
}

// face is a plane of a yield surface in principal stresses: n t <= limit, with the flow m.
type face struct {
	n, m   [3]float64
	dm, nd [3]float64 // D m, n D
	limit  float64
	opens  float64 // softening strain of one unit of flow: the greatest principal strain of that
}

// active is a set of faces on which a stress may end.
type active struct {
	faces   [3]int8
	count   int8
	inverse [3][3]float64 // of n_i D m_j
}

// surface is the yield surface of Mohr and Coulomb with a cut-off.
type surface struct {
	stiffness [3][3]float64
	faces     []face
	sets      []active // in the order in which they are tried
}

func newSurface(d [3][3]float64, plane Plane, sin, cos, dilation, cohesion, tension float64) surface {
	s := surface{stiffness: d}
	shear := func(i, k int) {
		var f face
		f.n[i], f.n[k] = 1+sin, -(1 - sin)
		f.m[i], f.m[k] = 1+dilation, -(1 - dilation)
		f.limit, f.opens = 2*cohesion*cos, 1+dilation
		s.faces = append(s.faces, f)
	}
	shear(0, 2)
	shear(0, 1)
	shear(1, 2)
	if plane == PlaneStress { // the third stress may be the greatest
		shear(2, 1)
		shear(2, 0)
	}
	for i := range 3 {
		if math.IsInf(tension, 1) || plane == PlaneStress && i == 2 {
			break
		}
		f := face{limit: tension, opens: 1}
		f.n[i], f.m[i] = 1, 1
		s.faces = append(s.faces, f)
	}
	for i := range s.faces {
		f := &s.faces[i]
		f.dm = stresses(&d, &f.m)
		f.nd = stresses(&d, &f.n) // D is symmetric
	}
	n := len(s.faces)
	for i := range n {
		s.add(i)
	}
	for i := range n {
		for k := i + 1; k < n; k++ {
			s.add(i, k)
		}
	}
	for i := 0; plane == PlaneStrain && i < n; i++ {
		for k := i + 1; k < n; k++ {
			for j := k + 1; j < n; j++ {
				s.add(i, k, j)
			}
		}
	}
	return s
}

// add adds a set of faces, unless it has no inverse.
func (s *surface) add(of ...int) {
	a := active{count: int8(len(of))}
	var m [3][3]float64
	for i, p := range of {
		a.faces[i] = int8(p)
		for k, q := range of {
			m[i][k] = dot3(&s.faces[p].n, &s.faces[q].dm)
		}
	}
	var regular bool
	if a.inverse, regular = inverseOf3(&m, len(of), 1e-10); !regular {
		return
	}
	s.sets = append(s.sets, a)
}

// inverseOf3 returns the inverse of the first n rows and columns of a matrix. regular is false if the
// determinant is less than a share of the cube of the largest number, and there is none.
func inverseOf3(of *[3][3]float64, n int, share float64) (inverse [3][3]float64, regular bool) {
	m, largest := *of, 0.0
	for i := range n {
		for k := range n {
			largest = max(largest, math.Abs(m[i][k]))
		}
	}
	for i := n; i < 3; i++ {
		m[i][i] = largest
	}
	cofactor := func(i, k int) float64 {
		i1, i2, k1, k2 := (i+1)%3, (i+2)%3, (k+1)%3, (k+2)%3
		return float64(m[i1][k1]*m[i2][k2]) - float64(m[i1][k2]*m[i2][k1])
	}
	det := float64(m[0][0]*cofactor(0, 0)) + float64(m[0][1]*cofactor(0, 1)) + float64(m[0][2]*cofactor(0, 2))
	if !(math.Abs(det) >= share*largest*largest*largest) || det == 0 {
		return inverse, false
	}
	for i := range n {
		for k := range n {
			inverse[i][k] = cofactor(k, i) / det
		}
	}
	return inverse, true
}

func dot3(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// returned is a stress on the surface or within it.
type returned struct {
	t             [3]float64 // principal stresses
	set           *active    // nil within
	across, opens float64    // plastic strain of the third direction, growth of the softening strain
}

// onSurface is the distance beyond a face at which a stress may end by rounding,
// relative to the trial's.
const onSurface = 1e-12

// back returns the stress on the surface, or within it, for sorted trial
// stresses t.
func (s *surface) back(t [3]float64, soft *Softening, opened, rate float64) returned {
	strength := soft.factor(opened * rate)
	var beyond [8]float64 // n t
	over := false
	for j := range s.faces {
		f := &s.faces[j]
		beyond[j] = dot3(&f.n, &t)
		over = over || beyond[j] > float64(strength*f.limit)
	}
	if !over {
		return returned{t: t}
	}
	within := float64(onSurface * (math.Abs(t[0]) + math.Abs(t[1]) + math.Abs(t[2])))
	for k := range s.sets {
		a := &s.sets[k]
		g, opens, ok := s.multipliers(a, &beyond, strength, soft, opened, rate)
		if !ok {
			continue
		}
		r := returned{t: t, set: a, opens: opens}
		for i := range a.count {
			f := &s.faces[a.faces[i]]
			for d := range 3 {
				r.t[d] -= float64(g[i] * f.dm[d])
			}
			r.across += float64(g[i] * f.m[2])
		}
		if s.holds(&r, soft.factor((opened+opens)*rate), within) {
			return r
		}
	}
	return s.apex(t, strength)
}

// multipliers returns the plastic multiplier of each face of a set, and the growth of
// the softening strain. ok is false if a multiplier is negative.
func (s *surface) multipliers(a *active, beyond *[8]float64, strength float64, soft *Softening, opened, rate float64) (g [3]float64, opens float64, ok bool) {
	var less [3]float64 // g = g - factor less
	n := a.count
	for i := range n {
		for k := range n {
			j := a.faces[k]
			g[i] += float64(a.inverse[i][k] * beyond[j])
			less[i] += float64(a.inverse[i][k] * s.faces[j].limit)
		}
	}
	if soft.Softens() {
		most, slope := 0.0, 0.0
		for i := range n {
			most += float64(s.faces[a.faces[i]].opens * g[i])
			slope += float64(s.faces[a.faces[i]].opens * less[i])
		}
		opens = soft.opens(most, slope, opened, rate)
		strength = soft.factor((opened + opens) * rate)
	}
	for i := range n {
		if g[i] -= float64(strength * less[i]); !(g[i] >= 0) {
			return g, 0, false
		}
	}
	return g, opens, true
}

// holds tells whether a stress is beyond no face.
func (s *surface) holds(r *returned, strength, within float64) bool {
	for j := range s.faces {
		f := &s.faces[j]
		limit := float64(strength * f.limit)
		if reach := dot3(&f.n, &r.t); reach > limit+within {
			return false
		}
	}
	return true
}

// apexSet marks a stress for which no set of faces was found.
var apexSet active

// apex returns the stress if no set of faces fits: the end of the surface in tension,
// without shear.
func (s *surface) apex(t [3]float64, strength float64) returned {
	r := returned{set: &apexSet}
	if s.stiffness[2][2] == 0 {
		return r
	}
	most := math.Inf(1)
	for j := range s.faces {
		f := &s.faces[j]
		if sum := f.n[0] + f.n[1] + f.n[2]; sum > 0 {
			most = min(most, strength*f.limit/sum)
		}
	}
	mean := min(most, (t[0]+t[1]+t[2])/3)
	r.t = [3]float64{mean, mean, mean}
	return r
}

// tangent returns the derivatives of the stresses by the trial's strains:
//
//	dt = D de - D m dg, dg = A^-1 (n D de - limit ds)
func (s *surface) tangent(r *returned, soft *Softening, opened, rate float64) (d [3][3]float64) {
	if r.set == &apexSet {
		return d
	}
	d = s.stiffness
	if r.set == nil {
		return d
	}
	n := r.set.count
	var less [3]float64
	var by [3][3]float64 // dg/de without softening
	slope := 0.0
	for i := range n {
		for k := range n {
			f := &s.faces[r.set.faces[k]]
			less[i] += float64(r.set.inverse[i][k] * f.limit)
			for q := range 3 {
				by[i][q] += float64(r.set.inverse[i][k] * f.nd[q])
			}
		}
		slope += float64(s.faces[r.set.faces[i]].opens * less[i])
	}
	fall := float64(soft.slope((opened+r.opens)*rate) * rate)
	for q := range 3 {
		opens := 0.0
		for i := range n {
			opens += float64(s.faces[r.set.faces[i]].opens * by[i][q])
		}
		opens /= 1 + float64(fall*slope)
		for i := range n {
			dg := by[i][q] - float64(less[i]*fall*opens)
			for p := range 3 {
				d[p][q] -= float64(s.faces[r.set.faces[i]].dm[p] * dg)
			}
		}
	}
	return d
}
