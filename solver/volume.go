package solver

import (
	"slices"
	"strings"

	"fdem/contactnodes"
	"fdem/contactnodes/overlap"
	"fdem/contactnodes/volume"
	"fdem/materials/contact"
)

// Volume lets whole bodies meet by the volume of their overlap, see package
// volume.
type Volume struct {
	Name          string  // unique among all contacts
	First, Second []int32 // pieces of the mesh, ascending
	Law           contact.Volumetric
	LawName       string
	Friction      float64 // Coulomb's coefficient [1]
	Speed         float64 // slip speed below which friction is linear [m/s]
	Allow         bool    // bodies may overlap at the start and press at once
}

// addVolumes makes the volumetric contacts.
func (s *Solver) addVolumes() {
	pieces := volume.Pieces(s.Mesh, len(s.Model.Bodies))
	for _, v := range s.ByVolume {
		s.Volumes = append(s.Volumes, volume.New(volume.Config{
			Name: v.Name, First: v.First, Second: v.Second,
			Foundation: overlap.Foundation{Stiffness: v.Law.K, Damping: v.Law.A},
			Friction:   contactnodes.Friction{Kinetic: v.Friction, Speed: v.Speed}, Thickness: s.Thickness,
		}, pieces, len(s.Mesh.X), len(s.Rigids)))
		s.PeakForce = append(s.PeakForce, 0)
	}
	for i := range s.Volumes {
		s.volumesByName = append(s.volumesByName, i)
	}
	slices.SortFunc(s.volumesByName, func(i, j int) int { return strings.Compare(s.ByVolume[i].Name, s.ByVolume[j].Name) })
	s.motions = make([]volume.Motion, len(s.Rigids))
}

// addVolumeForces asks the volumetric contacts for their forces, which go to
// the nodes as those of the contact surfaces do.
func (s *Solver) addVolumeForces() error {
	for i := range s.rigids {
		r, p := &s.rigids[i], &s.Poses[i]
		s.motions[i] = volume.Motion{Centre: p.Centre, Velocity: p.Velocity, Spin: p.Spin, Inverse: r.inverse, Turning: r.turning}
	}
	at := volume.Scene{X: s.X, V: s.V, Inverse: s.inverse, Rigids: s.motions}
	for _, i := range s.volumesByName {
		c := s.Volumes[i]
		if err := c.AddForces(s.contact, at, s.Last); err != nil {
			return err
		}
		s.pressed = s.pressed || len(c.Touches) > 0
		peak := &s.PeakForce[len(s.Surfaces)+i]
		*peak = max(*peak, c.Normal)
	}
	return nil
}

// checkVolumes stops bodies that overlap at the start without consent.
func (s *Solver) checkVolumes() error {
	for i, c := range s.Volumes {
		if d := c.Overlapping(); d > touching*s.shallow && !s.ByVolume[i].Allow {
			return &OverlapError{Contact: c.Name, Deflection: d}
		}
	}
	return nil
}

// volumeParts lists what a volumetric contact remembers.
func volumeParts(prefix string, c *volume.State) []Part {
	return []Part{
		{prefix + "press", c.Press}, {prefix + "drag", c.Drag},
		{prefix + "press_moment", c.PressMoment}, {prefix + "drag_moment", c.DragMoment},
		{prefix + "normal_work", &c.NormalWork}, {prefix + "friction_work", &c.FrictionWork},
		{prefix + "peak_pressure", &c.PeakPressure}, {prefix + "widest", &c.Widest},
	}
}
