package solver

import (
	"cmp"

	"gonum.org/v1/gonum/spatial/r2"
)

// A row of the history holds the mean forces of the contacts since the row
// before: under a stiff law bodies rattle many times between two rows, and the
// force at one moment says little, where means add up to the impulse.

// MeanForce is what a contact has borne on the mean since the last row; now,
// where no time has passed.
type MeanForce struct {
	Name               string
	Normal, Tangential float64 // sums of normal and friction forces [N]
	Surfaces           bool    // it has a Push
	Push               r2.Vec  // resultant on the contactor, or where that is the opposite, too, on the body that comes first [N]
}

// forces is the number of components that are kept of a contact: the sums of
// normal and of friction forces, and the resultant's two.
const forces = 4

// gatherImpulses adds the forces as last evaluated, which the last step led to.
func (s *Solver) gatherImpulses() {
	i := 0
	add := func(normal, tangential float64, push r2.Vec) {
		for k, f := range [forces]float64{normal, tangential, push.X, push.Y} {
			s.Impulses[i+k] += float64(0.5 * s.Last * (s.Borne[i+k] + f))
			s.Borne[i+k] = f
		}
		i += forces
	}
	for _, c := range s.Surfaces {
		add(c.Normal, c.Tangential, c.Push)
	}
	for _, c := range s.Volumes {
		add(c.Normal, c.Tangential, r2.Vec{})
	}
	if s.spheres != nil {
		for k := range s.spheres.Interaction {
			t := &s.spheres.Interaction[k]
			add(t.Normal, t.Tangential, r2.Vec{})
		}
	}
}

// MeanForces returns the contacts' means since the last row, those in parts as
// one.
func (s *Solver) MeanForces() []MeanForce {
	var out []MeanForce
	i := 0
	add := func(name string, surfaces, part bool) {
		if !part {
			out = append(out, MeanForce{Name: name, Surfaces: surfaces})
		}
		f, mean := &out[len(out)-1], [forces]float64{}
		for k := range mean {
			mean[k] = s.Borne[i+k]
			if since := s.Time - s.RowTime; since > 0 {
				mean[k] = s.Impulses[i+k] / since
			}
		}
		i += forces
		f.Normal += mean[0]
		f.Tangential += mean[1]
		f.Push = r2.Add(f.Push, r2.Vec{X: mean[2], Y: mean[3]})
	}
	of := ""
	for k := range s.Model.Contacts {
		m := &s.Model.Contacts[k]
		add(cmp.Or(m.Of, m.Name), true, m.Of != "" && m.Of == of)
		of = m.Of
	}
	for _, c := range s.Volumes {
		add(c.Name, false, false)
	}
	for _, name := range s.Model.Particles.Interactions {
		add(name, false, false)
	}
	return out
}

// row begins the means of the next row.
func (s *Solver) row() {
	clear(s.Impulses)
	s.RowTime = s.Time
}
