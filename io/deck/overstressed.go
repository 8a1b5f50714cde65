package deck

import (
	"fmt"
	"math"
	"strings"

	"fdem/fem/fracture"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// overstressed warns of joints, and other edges where bodies break, that cannot carry
// the initial stress: by the law of Mohr and Coulomb in compression, and by their
// strength in tension. Open joints carry no load.
func (r *resolver) overstressed(m *model.Model) (out []string) {
	if len(m.InitialStresses) == 0 {
		return nil
	}
	soon := " at once"
	if m.Relief != nil { // it holds forces out of balance at first
		soon = ""
	}
	of := make([]*model.InitialStress, len(r.mesh.Triangles))
	for i := range m.InitialStresses {
		p := &m.InitialStresses[i]
		for t := r.mesh.Bodies[p.Body].First; t < r.mesh.Bodies[p.Body].End; t++ {
			of[t] = p
		}
	}
	if f := m.Fracture; f != nil {
		found := make([]overstress, len(f.Regions))
		for i := range f.Edges {
			if e := &f.Edges[i]; e.Region >= 0 {
				found[e.Region].add(e, f.Regions[e.Region].Law, f.Joints[e.Region], r.mesh.X, of)
			}
		}
		for i := range found {
			if found[i].edges > 0 {
				out = append(out, found[i].sentence(&r.fractures[i], f.Sizes[i].Where, soon))
			}
		}
	}
	return append(out, r.unloadedJoints(of, soon)...)
}

// overstress is the part of a joint that cannot carry the initial stress.
type overstress struct {
	edges, all       int     // number of edges that cannot carry it, and of all edges
	length, whole    float64 // their lengths [m]
	sheared, tension excess  // at the greatest use of strength, in compression and in tension
}

// excess is a traction on an edge beyond its strength.
type excess struct {
	normal, shear float64 // [Pa]
	strength      float64 // in shear under the normal traction [Pa]; 0 in tension
	used          float64 // traction over strength, infinity for no strength
	at            r2.Vec
}

// more tells whether p is the greater excess by more than rounding. Of two edges without
// strength it is the one with the greater traction.
func (p *excess) more(q *excess) bool {
	const rounding = 1 + 1e-9
	if math.IsInf(p.used, 1) && math.IsInf(q.used, 1) {
		return math.Abs(p.normal)+math.Abs(p.shear) > rounding*(math.Abs(q.normal)+math.Abs(q.shear))
	}
	return p.used > rounding*q.used
}

// add checks an edge of a joint. The traction on it is the mean of both sides.
func (o *overstress) add(e *fracture.Edge, law *cohesive.Law, unrestrained bool, x []r2.Vec, of []*model.InitialStress) {
	a, b := x[e.From], x[e.To]
	normal, shear, length, middle := traction(a, b, of[e.A], of[e.B])
	o.all++
	o.whole += length
	used := law.Used(normal, shear) / e.Strength
	if !(used > 1) {
		return
	}
	o.edges++
	o.length += length
	now, most := excess{normal: normal, shear: math.Abs(shear), used: used, at: middle}, &o.tension
	if normal <= 0 {
		most = &o.sheared
		now.strength = math.Abs(law.Friction * normal)
		if !unrestrained { // the law has almost no cohesion
			now.strength += float64(e.Strength * law.Cohesion)
		}
		now.used = now.shear / now.strength
	} else if unrestrained {
		now.used = math.Inf(1)
	}
	if now.more(most) {
		*most = now
	}
}

// traction returns the traction of the initial stresses p and q, nil for none, on the
// line from a to b: the means of their normal (tension is positive) and shear tractions
// [Pa], with the line's length [m] and its middle.
func traction(a, b r2.Vec, p, q *model.InitialStress) (normal, shear, length float64, middle r2.Vec) {
	along := r2.Sub(b, a)
	length = elementary.Norm(along)
	c, s := along.X/length, along.Y/length
	middle = r2.Vec{X: float64(0.5 * (a.X + b.X)), Y: float64(0.5 * (a.Y + b.Y))}
	for _, of := range [2]*model.InitialStress{p, q} {
		if of == nil {
			continue
		}
		t := of.Stress(middle)
		x, y := float64(t.XX*s)-float64(t.XY*c), float64(t.XY*s)-float64(t.YY*c) // on the normal (s, -c)
		normal += float64(0.5 * (float64(x*s) - float64(y*c)))
		shear += float64(0.5 * (float64(x*c) + float64(y*s)))
	}
	return normal, shear, length, middle
}

// boundless is the use of strength beyond which the strength counts as zero,
// since it is only rounding.
const boundless = 1e6

// sentence returns the warning about a joint or a fracture that cannot carry
// the stress.
func (o *overstress) sentence(b *fracturing, where, soon string) string {
	then := "break" + soon
	if b.Name == jointBlock.Name {
		then = "slide or open" + soon
	}
	var why []string
	if e := &o.sheared; e.used > 0 {
		excess := "and there is no strength against it"
		if e.used < boundless {
			excess = fmt.Sprintf("%.3g times the %.3g MPa of cohesion and friction there", e.used, 1e-6*e.strength)
		}
		why = append(why, fmt.Sprintf("at (%.4g, %.4g) m the shear stress is %.3g MPa, %s", e.at.X, e.at.Y, 1e-6*e.shear, excess))
	}
	if e := &o.tension; e.used > 0 {
		excess := "and it has no tensile strength"
		if !b.strengthless {
			excess = fmt.Sprintf("%.3g times its strength", e.used)
		}
		why = append(why, fmt.Sprintf("at (%.4g, %.4g) m the tension is %.3g MPa and the shear stress %.3g MPa, %s", e.at.X, e.at.Y, 1e-6*e.normal, 1e-6*e.shear, excess))
	}
	return fmt.Sprintf("%s %q: %d of %d edges, %.3g of %.3g m, cannot carry the initial stress and %s: %s",
		b.Name, where, o.edges, o.all, o.length, o.whole, then, strings.Join(why, "; "))
}

// unloadedJoints warns of open joints in bodies under an initial stress. They carry no load
// until their sides meet.
func (r *resolver) unloadedJoints(of []*model.InitialStress, soon string) (out []string) {
	for _, j := range r.opens {
		if j.aperture == 0 { // in a static analysis its sides carry load
			continue
		}
		g := r.group(j.Reader, "on", j.on)
		most, sides := 0.0, 0.0
		for _, e := range g.Edges {
			side := &r.mesh.Edges[e]
			p := of[side.Tri]
			normal, shear, length, _ := traction(r.mesh.X[side.A], r.mesh.X[side.B], p, p)
			next := jointStrength * r.model.Materials[r.bodies[side.Body].Material].Young // to zero
			if t := elementary.Hypot(normal, shear); t > next {
				most, sides = max(most, t), sides+length
			}
		}
		if most > 0 {
			out = append(out, fmt.Sprintf("joint %q is open and carries none of the initial stress until its sides meet: up to %.3g MPa on %.3g m of its sides are released%s", j.on, 1e-6*most, sides, soon))
		}
	}
	return out
}
