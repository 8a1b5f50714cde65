package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// The common part of the laws of soil and rock: elasticity in logarithmic strains, and
// plastic flow that changes the volume.

// reserveAt and openedAt are the indices in the memory of what a pair leaves of the strength
// (pairflow.go) and of the softening strain, after the values of plasticity.
const (
	reserveAt = 6
	openedAt  = 7
)

var (
	memoryOfFriction  = append(memoryOfPlasticity[:reserveAt:reserveAt], Value{Name: "reserve", Unit: "Pa", First: math.MaxFloat64})
	memoryOfSoftening = append(memoryOfFriction[:openedAt:openedAt], Value{Name: "softening_strain", Unit: "1"})
)

// frictionParameters are the parameters of the laws of soil and rock.
var frictionParameters = append(parameter.List{
	{Name: "cohesion", Doc: "c_0: shear strength without pressure", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
	{Name: "friction_angle", Doc: "phi: friction angle, by which shear strength grows with pressure; plain numbers are degrees", Unit: "deg", Max: 89},
	{Name: "dilation_angle", Doc: "psi: dilation angle, by which the volume grows in shear, at most friction_angle, in hoek-brown that of the curved strength; plain numbers are degrees", Unit: "deg", Max: 89, Default: new(float64)},
	{Name: "tensile_strength", Doc: "T: greatest tension of mohr-coulomb and hoek-brown, greatest mean stress of drucker-prager; at most cohesion/tan(friction_angle), in hoek-brown s S/m", Unit: "Pa", Max: math.Inf(1), Else: "the most that is possible"},
}, softeningParameters...)

// strengths are the constants that follow from these parameters.
type strengths struct{ cohesion, sin, cos, sinFlow, cosFlow float64 }

func newFriction(e Elastic, c Constants) (a strengths, soft Softening, err error) {
	phi, psi := float64(c.Value["friction_angle"]*math.Pi)/180, float64(c.Value["dilation_angle"]*math.Pi)/180
	if psi > phi {
		return a, soft, fmt.Errorf("dilation_angle must be at most friction_angle, %g degrees, since otherwise shear would create energy, got %g", c.Value["friction_angle"], c.Value["dilation_angle"])
	}
	a.cohesion = c.Value["cohesion"]
	a.sin, a.cos = elementary.Sincos(phi)
	a.sinFlow, a.cosFlow = elementary.Sincos(psi)
	tension := math.Inf(1)
	if a.sin > 0 {
		tension = a.cohesion * a.cos / a.sin
	}
	if t, given := c.Value["tensile_strength"]; given {
		if t > tension*(1+1e-12) {
			return a, soft, fmt.Errorf("tensile_strength must be at most cohesion/tan(friction_angle), %.6g Pa, got %g", tension, t)
		}
		tension = min(t, tension)
	}
	soft, err = newSoftening(e.Young, tension, c)
	soft.associated = psi == phi
	return a, soft, err
}

// symmetric returns an error if the tangent is not symmetric, or if the law
// softens.
func (s *Softening) symmetric() error {
	switch {
	case !s.associated:
		return errors.New("dilation_angle must be friction_angle in a static analysis, since otherwise the tangent is not symmetric; or take type = \"dynamic\" with damping")
	case s.Softens():
		return errors.New("softening is not possible in a static analysis, which cannot follow failure: take type = \"dynamic\" with damping")
	}
	return nil
}

// hooke is isotropic elasticity between principal logarithmic strains and stresses.
type hooke struct {
	Bulk, Shear, Young, Poisson float64
	elasticResponse             *J2 // the same, four triangles at a time
}

func newHooke(e Elastic) hooke {
	k, g := e.BulkShear()
	l := &J2{k, g, e.Young, e.Poisson, Hardening{Yield: math.Inf(1)}, newFours(k, g)}
	l.constants.yield, l.constants.stiff = times4(l.Yield), times4(3*g)
	return hooke{k, g, e.Young, e.Poisson, l}
}

// ElasticResponse implements Yielding.
func (h *hooke) ElasticResponse() Law { return h.elasticResponse }

// ElasticResponse implements Yielding.
func (l *J2) ElasticResponse() Law {
	return newHooke(Elastic{Young: l.Young, Poisson: l.Poisson}).elasticResponse
}

// matrix returns the stiffness. In plane stress its third row and column are zero.
func (h *hooke) matrix(plane Plane) (d [3][3]float64) {
	n, off, on := 3, h.Bulk-float64(2./3*h.Shear), h.Bulk+float64(4./3*h.Shear)
	if plane == PlaneStress {
		n, on = 2, h.Young/(1-float64(h.Poisson*h.Poisson))
		off = h.Poisson * on
	}
	for i := range n {
		for k := range n {
			d[i][k] = off
		}
		d[i][i] = on
	}
	return d
}

// strains returns the elastic strains of stresses.
func (h *hooke) strains(t *[3]float64) (e [3]float64) {
	sum := t[0] + t[1] + t[2]
	for i := range e {
		e[i] = (float64((1+h.Poisson)*t[i]) - float64(h.Poisson*sum)) / h.Young
	}
	return e
}

// stresses returns D e.
func stresses(d *[3][3]float64, e *[3]float64) (t [3]float64) {
	for i := range t {
		t[i] = float64(d[i][0]*e[0]) + float64(d[i][1]*e[1]) + float64(d[i][2]*e[2])
	}
	return t
}

// flow is one triangle in Eval: its state before, and its trial.
type flow struct {
	trial
	g      inverse
	strain [3]float64 // principal, of the trial; in plane stress the third is not used
}

func beginFlow(in *Input, i int) (w flow) {
	w.g = inverseOf(in, i)
	w.trial = newTrial(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i], &w.g)
	w.strain = [3]float64{halfLog(w.l1), halfLog(w.l2), halfLog(w.g.zz)}
	return w
}

// before returns the stress before the step, in the axes of the trial. It is the stress of the
// trial's strains less those of the step.
func (w *flow) before(h *hooke, in *Input, i int) (t [3]float64) {
	d := in.increment(i)
	mean, half := float64(0.5*(d.xx+d.yy)), float64(0.5*(d.xx-d.yy)*w.cos2)+float64(d.xy*w.sin2)
	e1, e2, e3 := w.strain[0]-(mean+half), w.strain[1]-(mean-half), w.strain[2]-in.thickening(i)
	if in.Plane == PlaneStress {
		of := h.Young / (1 - float64(h.Poisson*h.Poisson))
		return [3]float64{float64(of * (e1 + float64(h.Poisson*e2))), float64(of * (e2 + float64(h.Poisson*e1))), 0}
	}
	lambda := float64((h.Bulk - float64(2./3*h.Shear)) * (e1 + e2 + e3))
	twice := 2 * h.Shear
	return [3]float64{lambda + float64(twice*e1), lambda + float64(twice*e2), lambda + float64(twice*e3)}
}

// elastic evaluates all triangles in plane strain as if none yielded. The law then evaluates
// the yielding ones again. Most of a body is elastic, and this check needs no principal axes.
func (h *hooke) elastic(in *Input, out *Output) {
	h.elasticResponse.Eval(in, out)
	copy(out.Mem[reserveAt], in.Mem[reserveAt])
}

// principal returns the greatest and the least principal stress of triangle i.
func (o *Output) principal(i int) (most, least float64) {
	m, d := float64(0.5*(o.TXX[i]+o.TYY[i])), float64(0.5*(o.TXX[i]-o.TYY[i]))
	r := math.Sqrt(float64(d*d) + float64(o.TXY[i]*o.TXY[i]))
	return max(m+r, o.TZZ[i]), min(m-r, o.TZZ[i])
}

// invariants returns the mean stress and the root of J_2 of triangle i.
func (o *Output) invariants(i int) (p, root float64) {
	p = float64((o.TXX[i] + o.TYY[i] + o.TZZ[i]) * (1. / 3))
	x, y, z, xy := o.TXX[i]-p, o.TYY[i]-p, o.TZZ[i]-p, o.TXY[i]
	return p, math.Sqrt(float64(0.5*(float64(x*x)+float64(y*y)+float64(z*z))) + float64(xy*xy))
}

// end sets a triangle's output from its principal stresses t. If it flows, across is
// the plastic strain across the plane in plane stress.
func (w *flow) end(h *hooke, in *Input, out *Output, i int, t *[3]float64, flows bool, across float64) {
	e := h.strains(t)
	a, d := in.Mem[strainAt][i], in.Mem[workAt][i]
	if flows {
		plastic := [3]float64{w.strain[0] - e[0], w.strain[1] - e[1], w.strain[2] - e[2]}
		zz := elementary.Exp(2 * e[2])
		if in.Plane == PlaneStress {
			plastic[2] = across
			zz = float64(w.g.zz * elementary.Exp(-2*across))
		}
		before := *t
		if in.tracksWork() {
			before = w.before(h, in, i)
		}
		square := 0.0
		for k := range plastic {
			square += float64(plastic[k] * plastic[k])
			d += float64(0.5 * (before[k] + t[k]) * plastic[k])
		}
		a += math.Sqrt(float64(2. / 3 * square))
		w.g = w.flowed(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i], e[0], e[1])
		w.g.zz = zz
	}
	w.g.put(in, out, i)
	out.Mem[strainAt][i], out.Mem[workAt][i] = a, d
	w.put(out, i, t[0], t[1], t[2])
	out.Thickness[i] = 1
	if in.Plane == PlaneStress {
		out.Thickness[i] = elementary.Exp(e[2]) / math.Sqrt(w.g.zz)
	}
	out.Energy[i] = 0.5 * (float64(t[0]*e[0]) + float64(t[1]*e[1]) + float64(t[2]*e[2]))
}
