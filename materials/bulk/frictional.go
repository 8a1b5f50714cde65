package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// What the laws of soil and rock share: elastic in logarithmic strains, plastic flow that
// changes the volume, and its work booked as a run's ledger takes that of internal forces.
// That is by the trapezoid, so that
//
//	D = 1/2 (tau_n + tau_n+1) : d eps_p
//
// which needs the stress before, turned with the body. It stands in the memory as
// M = F^-1 tau F, of which F M F^-1 with the F of now is tau_n turned by the spin between, but
// for a part that is not symmetric and does no work. M's part yx follows from the others, since
// M G is symmetric, and tau_zz from the trace of M and from G_zz.

// Places of the values in the memory after those of plasticity.
const (
	stressAt = 6 // the last stress, M: xx, xy, yy
	openedAt = 9 // of laws that soften: what the strength follows
)

var (
	memoryOfFriction = append(memoryOfPlasticity[:6:6],
		Value{Name: "stress_before_xx", Unit: "Pa"}, Value{Name: "stress_before_xy", Unit: "Pa"},
		Value{Name: "stress_before_yy", Unit: "Pa"})
	memoryOfSoftening = append(memoryOfFriction[:openedAt:openedAt], Value{Name: "softening_strain", Unit: "1"})
)

// frictionParameters are those of the laws of soil and rock.
var frictionParameters = append(parameter.List{
	{Name: "cohesion", Doc: "c_0: shear strength without pressure", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
	{Name: "friction_angle", Doc: "phi: by which shear strength grows with pressure; plain numbers are degrees", Unit: "deg", Max: 89},
	{Name: "dilation_angle", Doc: "psi: by which the volume grows as it shears, at most friction_angle; plain numbers are degrees", Unit: "deg", Max: 89, Default: new(float64)},
	{Name: "tensile_strength", Doc: "T: greatest tension of mohr-coulomb, greatest mean stress of drucker-prager, at most cohesion/tan(friction_angle)", Unit: "Pa", Max: math.Inf(1), Else: "cohesion/tan(friction_angle)"},
}, softeningParameters...)

// strengths are what those give.
type strengths struct{ cohesion, sin, cos, sinFlow, cosFlow float64 }

func newFriction(e Elastic, c Constants) (a strengths, soft Softening, err error) {
	phi, psi := float64(c.Value["friction_angle"]*math.Pi)/180, float64(c.Value["dilation_angle"]*math.Pi)/180
	if psi > phi {
		return a, soft, fmt.Errorf("dilation_angle must be at most friction_angle, %g degrees, or shear would give energy, got %g", c.Value["friction_angle"], c.Value["dilation_angle"])
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

// symmetric returns an error where no potential stands behind the tangent.
func (s *Softening) symmetric() error {
	switch {
	case !s.associated:
		return errors.New("dilation_angle must be friction_angle in a static analysis: else the tangent is not symmetric; or take type = \"dynamic\" with damping")
	case s.Softens():
		return errors.New("softening is not for a static analysis, which cannot follow what fails: take type = \"dynamic\" with damping")
	}
	return nil
}

// hooke is isotropic elasticity between principal logarithmic strains and stresses.
type hooke struct{ Bulk, Shear, Young, Poisson float64 }

func newHooke(e Elastic) hooke {
	k, g := e.BulkShear()
	return hooke{k, g, e.Young, e.Poisson}
}

// matrix returns the stiffness; in plane stress that in the plane, nothing in its third row
// and column.
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

// flow is one triangle in Eval: where it begins, and its trial.
type flow struct {
	trial
	g      inverse
	strain [3]float64 // principal, of the trial; in plane stress the third is not used
}

func beginFlow(in *Input, i int) (w flow) {
	w.g = inverseOf(in.Mem, i)
	w.trial = newTrial(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i], &w.g)
	w.strain = [3]float64{halfLog(w.l1), halfLog(w.l2), halfLog(w.g.zz)}
	return w
}

// before returns the stress before, in the axes of the trial.
func (w *flow) before(h *hooke, in *Input, i int) [3]float64 {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	g := inverseOf(in.Mem, i)
	mxx, mxy, myy := in.Mem[stressAt][i], in.Mem[stressAt+1][i], in.Mem[stressAt+2][i]
	myx := (float64(mxy*g.yy) + float64((mxx-myy)*g.xy)) / g.xx
	det := float64(fxx*fyy) - float64(fxy*fyx)
	axx, axy := float64(fxx*mxx)+float64(fxy*myx), float64(fxx*mxy)+float64(fxy*myy)
	ayx, ayy := float64(fyx*mxx)+float64(fyy*myx), float64(fyx*mxy)+float64(fyy*myy)
	xx, yy := (float64(axx*fyy)-float64(axy*fyx))/det, (float64(ayy*fxx)-float64(ayx*fxy))/det
	xy := 0.5 * (float64(axy*fxx) - float64(axx*fxy) + float64(ayx*fyy) - float64(ayy*fyx)) / det
	mean, half := float64(0.5*(xx+yy)), float64(0.5*(xx-yy)*w.cos2)+float64(xy*w.sin2)
	return [3]float64{mean + half, mean - half, h.across(in, i)}
}

// across returns the stress before across the plane.
func (h *hooke) across(in *Input, i int) float64 {
	if in.Plane == PlaneStress {
		return 0
	}
	e := halfLog(in.Mem[3][i])
	lambda := h.Bulk - float64(2./3*h.Shear)
	volume := (in.Mem[stressAt][i] + in.Mem[stressAt+2][i] + float64(2*h.Shear*e)) / (2 * (lambda + h.Shear))
	return float64(lambda*volume) + float64(2*h.Shear*e)
}

// keepStress remembers the stress for the next step.
func keepStress(in *Input, out *Output, i int) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	det := float64(fxx*fyy) - float64(fxy*fyx)
	txx, tyy, txy := out.TXX[i], out.TYY[i], out.TXY[i]
	axx, axy := float64(txx*fxx)+float64(txy*fyx), float64(txx*fxy)+float64(txy*fyy)
	ayx, ayy := float64(txy*fxx)+float64(tyy*fyx), float64(txy*fxy)+float64(tyy*fyy)
	m := out.Mem[stressAt:]
	m[0][i], m[1][i] = (float64(fyy*axx)-float64(fxy*ayx))/det, (float64(fyy*axy)-float64(fxy*ayy))/det
	m[2][i] = (float64(fxx*ayy) - float64(fyx*axy)) / det
}

// end writes a triangle's answer: principal stresses t, and where it flows the plastic
// strain across the plane, which plane stress leaves free.
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
		before := w.before(h, in, i)
		square := 0.0
		for k := range plastic {
			square += float64(plastic[k] * plastic[k])
			d += float64(0.5 * (before[k] + t[k]) * plastic[k])
		}
		a += math.Sqrt(float64(2. / 3 * square))
		w.g = w.flowed(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i], e[0], e[1])
		w.g.zz = zz
	}
	w.g.put(out.Mem, i)
	out.Mem[strainAt][i], out.Mem[workAt][i] = a, d
	w.put(out, i, t[0], t[1], t[2])
	keepStress(in, out, i)
	out.Thickness[i] = 1
	if in.Plane == PlaneStress {
		out.Thickness[i] = elementary.Exp(e[2]) / math.Sqrt(w.g.zz)
	}
	out.Energy[i] = 0.5 * (float64(t[0]*e[0]) + float64(t[1]*e[1]) + float64(t[2]*e[2]))
}

// Share implements Sharing: the elastic volume strain of each pair becomes its mean th over
// the two volumes (mixed discretisation; J. Marti and P. Cundall, International Journal for
// Numerical and Analytical Methods in Geomechanics 6 (1982) 129-139),
//
//	G = G exp(2 (th - th_i)/3), tau = tau + K (th - th_i) 1
//
// The difference is plastic strain, whose work is booked as that of Eval is. What a pair's
// forces have of the stress is its mean, which stays.
func (h *hooke) Share(in *Input, out *Output, volume []float64) {
	strain, before := out.Mem[strainAt], in.Mem[strainAt]
	for i := 0; i+1 < len(volume); i += 2 {
		flows := strain[i] != before[i] || strain[i+1] != before[i+1]
		if !flows || !(volume[i] > 0 && volume[i+1] > 0) {
			continue
		}
		a, b := h.volumeStrain(out, i), h.volumeStrain(out, i+1)
		mean := (float64(volume[i]*a) + float64(volume[i+1]*b)) / (volume[i] + volume[i+1])
		h.shift(in, out, i, a, mean)
		h.shift(in, out, i+1, b, mean)
	}
}

// volumeStrain returns the elastic volume strain of triangle i in plane strain.
func (h *hooke) volumeStrain(out *Output, i int) float64 {
	return (out.TXX[i] + out.TYY[i] + out.TZZ[i]) / (3 * h.Bulk)
}

// shift changes the elastic volume strain of triangle i from one to another one.
func (h *hooke) shift(in *Input, out *Output, i int, from, to float64) {
	by := to - from
	more := float64(h.Bulk * by)
	scale := elementary.Exp(2. / 3 * by)
	for v := range memoryOfInverse {
		out.Mem[v][i] *= scale
	}
	out.TXX[i] += more
	out.TYY[i] += more
	out.TZZ[i] += more
	m := out.Mem[stressAt:]
	m[0][i] += more
	m[2][i] += more
	out.Energy[i] += float64(0.5 * more * (to + from))
	g := inverseOf(in.Mem, i)
	det := float64(in.FXX[i]*in.FYY[i]) - float64(in.FXY[i]*in.FYX[i])
	flowed := halfLog(float64(det*det)*(float64(g.xx*g.yy)-float64(g.xy*g.xy))*g.zz) - from
	n := in.Mem[stressAt:]
	means := (n[0][i]+n[2][i]+h.across(in, i))/3 + float64(h.Bulk*from) // before, and of Eval
	out.Mem[workAt][i] += float64(0.5 * (float64(more*(flowed-by)) - float64(means*by)))
}
