package impulses

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The forces of contact points, and the lines of thrust: where the forces go through the bodies.

// ContactPoint is a contact point with a force, for results.
type ContactPoint struct {
	At      r2.Vec // [m]
	Normal  r2.Vec // on the second body
	Force   r2.Vec // on the second body, mean of the last step [N]
	Gap     float64
	Contact int32
	Bodies  [2]int32
}

// Points returns the contact points at Time that carry a force, in a fixed order.
func (k *Contacts) Points() (out []ContactPoint) {
	k.present(func(p *point) {
		out = append(out, ContactPoint{At: r2.Add(k.centre(p.a), p.ra), Normal: p.n, Force: p.force(k.Last), Gap: p.gap, Contact: p.contact, Bodies: [2]int32{p.a, p.b}})
	})
	return out
}

// ThrustLine is a part of a line of thrust through a body.
type ThrustLine struct {
	Ends  [2]r2.Vec // [m]
	Force float64   // greatest of the forces at its ends that are joints [N]
	Body  int32
}

// joint is where two bodies press on one another: the point at which the resultant acts.
type joint struct {
	at    r2.Vec
	force r2.Vec
}

// Thrust returns the lines of thrust at Time: through a body with two joints from the one to the other,
// through others from each joint to the body's centre. A joint is the mean of two bodies' contact points,
// weighted by their normal forces.
func (k *Contacts) Thrust() (out []ThrustLine) {
	points := k.Points()
	of := make([][]joint, len(k.bodies.List))
	for first := 0; first < len(points); {
		end, weight, sum := first, 0.0, joint{}
		for ; end < len(points) && points[end].Bodies == points[first].Bodies; end++ {
			p := &points[end]
			n := math.Abs(elementary.Dot(p.Force, p.Normal))
			weight += n
			sum.at, sum.force = elementary.Along(sum.at, p.At, n), r2.Add(sum.force, p.Force)
		}
		sum.at = r2.Scale(1/weight, sum.at)
		for _, b := range points[first].Bodies {
			if k.bodies.List[b].Inverse > 0 {
				of[b] = append(of[b], sum)
			}
		}
		first = end
	}
	for b, joints := range of {
		if len(joints) == 2 {
			force := max(elementary.Norm(joints[0].force), elementary.Norm(joints[1].force))
			out = append(out, ThrustLine{[2]r2.Vec{joints[0].at, joints[1].at}, force, int32(b)})
			continue
		}
		for _, j := range joints {
			out = append(out, ThrustLine{[2]r2.Vec{k.centre(int32(b)), j.at}, elementary.Norm(j.force), int32(b)})
		}
	}
	return out
}
