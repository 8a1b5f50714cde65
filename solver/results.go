package solver

import (
	"cmp"

	"fdem/contactnodes"
	"fdem/contactnodes/spheres"
	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// ContactForce is the state of one of the model's contacts.
type ContactForce struct {
	Name           string
	Active         int     // contact nodes touching; overlaps of a volumetric contact
	Normal         float64 // sum of the normal forces [N]
	Tangential     float64 // sum of the friction forces [N]
	PeakPressure   float64 // greatest so far [Pa]; of a volumetric contact, mean over a contact line
	PeakForce      float64 // greatest normal force so far, of an interaction that of a pair, of a contact in parts that of a part [N]
	PeakDeflection float64 // of a pair of an interaction, greatest so far [m]
	// of an interaction so far, while pairs approach and while they part
	Compressed, Restored spheres.Phase
	Dissipated           float64 // by the law and by friction so far [J]
	Stiffness            float64 // of the law, where it was found from the bodies; the greatest of parts [Pa/m]
	// Of regularised friction, the slip speed below which it is linear: as asked
	// for, and the greatest there was so far, 0 before the first slip [m/s].
	// Both 0 without.
	Speed, WidestSpeed float64
}

// rubs puts in the speeds of regularised friction.
func (f *ContactForce) rubs(friction contactnodes.Friction, widest float64) {
	if friction.Kinetic > 0 && !friction.Sticks() {
		f.Speed, f.WidestSpeed = friction.Speed, max(f.WidestSpeed, widest)
	}
}

// ContactForces returns the contacts as last evaluated, those in parts as one.
func (s *Solver) ContactForces() []ContactForce {
	out := make([]ContactForce, 0, len(s.PeakForce))
	of := "" // the contact whose parts are being added
	for i := range s.Model.Contacts {
		m := &s.Model.Contacts[i]
		if m.Of == "" || m.Of != of {
			out = append(out, ContactForce{Name: cmp.Or(m.Of, m.Name)})
			of = m.Of
		}
		f, c := &out[len(out)-1], s.Surfaces[i]
		f.Active += c.Active
		f.Normal += c.Normal
		f.Tangential += c.Tangential
		f.PeakPressure, f.PeakForce = max(f.PeakPressure, c.Peak()), max(f.PeakForce, s.PeakForce[i])
		f.Dissipated += c.Dissipated() + c.FrictionLoss()
		f.rubs(c.Friction, c.Widest)
		f.Stiffness = max(f.Stiffness, m.Factor*m.Suited)
	}
	for i, c := range s.Volumes {
		out = append(out, ContactForce{
			Name: c.Name, Active: len(c.Touches), Normal: c.Normal, Tangential: c.Tangential,
			PeakPressure: c.PeakPressure, PeakForce: s.PeakForce[len(s.Surfaces)+i], Dissipated: c.Dissipated() + c.FrictionWork,
		})
		out[len(out)-1].rubs(c.Friction, c.Widest)
	}
	return s.particleForces(out)
}

// Probe returns the value of a probe at Time, in SI.
func (s *Solver) Probe(p Probe) r2.Vec {
	if p.Particle {
		return s.particleProbe(p)
	}
	switch x := s.X[p.Node]; p.Quantity {
	case "velocity":
		return s.velocity(int(p.Node))
	case "position":
		return x
	case "contact_force":
		f := s.contact.F[p.Node]
		for i, n := range s.Mesh.Faces {
			if n == p.Node {
				f = r2.Add(f, s.contact.F[int(s.Mesh.FirstFace)+i])
			}
		}
		return f
	case "rotation":
		return r2.Vec{X: s.Theta[p.Node], Y: s.spin(p.Node)}
	default: // displacement
		return r2.Vec{X: x.X - s.Mesh.X[p.Node].X, Y: x.Y - s.Mesh.X[p.Node].Y}
	}
}

// NodalContactForces returns the contact force on every node at Time [N]; the
// slice is the solver's own.
func (s *Solver) NodalContactForces() []r2.Vec { return s.contact.F }

// BeamForces fills out, one value per beam, with the forces at Time.
func (s *Solver) BeamForces(out []fem.BeamForces) {
	if s.beams != nil {
		s.beams.Forces(s.X, s.Theta, out)
	}
}

// Stresses fills out, one value per triangle, with the stress at Time [Pa].
func (s *Solver) Stresses(out []fem.Stress) { s.triangles.Stresses(s.X, s.Plane, out) }

// StressesAt is Stresses at other positions x; it reads nothing that changes
// and may be called while the run goes on.
func (s *Solver) StressesAt(x []r2.Vec, out []fem.Stress) { s.triangles.Stresses(x, s.Plane, out) }
