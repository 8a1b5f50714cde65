package contacts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"
	"fdem/contactnodes/work"
	"fdem/solver/bodies"
	"fdem/solver/system"
	"fdem/solver/threads"
)

// volumes are the contacts by the volume of overlaps.
type volumes struct {
	system.View
	*bodies.ContactState
	outlines *bodies.Outlines
	bodies   *bodies.Rigids
	byName   []int
}

// addVolumes makes the volumetric contacts.
func (s *Contacts) addVolumes() {
	k := &volumes{View: s.View, ContactState: s.ContactState, outlines: s.Outlines, bodies: s.bodies}
	components := volume.Components(s.Mesh)
	for i, v := range s.ByVolume {
		s.Volumes = append(s.Volumes, volume.New(volume.Config{
			Name: v.Name, First: v.First, Second: v.Second,
			Law:      v.Law,
			Friction: contactnodes.Friction{Kinetic: v.Friction, Speed: v.Speed}, Thickness: s.Thickness,
		}, components, len(s.Mesh.X), len(s.Rigids)))
		k.byName = append(k.byName, i)
	}
	slices.SortFunc(k.byName, func(i, j int) int { return strings.Compare(s.ByVolume[i].Name, s.ByVolume[j].Name) })
	if len(s.Volumes) > 0 {
		s.Engines = append(s.Engines, k)
	}
}

func (k *volumes) AddForces(bool) error {
	at := volume.Scene{X: k.X, V: k.V, Masses: &k.Masses, Rigids: k.bodies.InMotion()}
	next := volume.StepPrediction{Prediction: k.outlines.Prediction(), Farthest: k.outlines.Lines.LookAhead}
	for _, i := range k.byName {
		c := k.Volumes[i]
		if err := c.AddForces(k.Contact, at, k.Last, next); err != nil {
			return err
		}
		peak := &k.PeakForce[len(k.Surfaces)+i]
		*peak = max(*peak, c.Normal)
	}
	return nil
}

func (k *volumes) Name() string { return "contact by volume" }

func (k *volumes) UseThreads(*threads.Team) {}

func (k *volumes) Recompute() error { return nil }

func (k *volumes) EndExcavated() float64 { return 0 }

func (k *volumes) Balance() error {
	return errors.New("volumetric contact has no static analysis: its law damps; take contact nodes with a linear law, or run the model in time")
}

func (k *volumes) Tangents(out []contactnodes.TangentTerm) []contactnodes.TangentTerm { return out }

func (k *volumes) Overlap(evaluated bool) error {
	for i, c := range k.Volumes {
		if d := c.Overlapping(); evaluated && d > ContactRounding*k.outlines.Shallow && !k.ByVolume[i].Allow {
			return &OverlapError{Contact: c.Name, Deflection: d}
		}
	}
	return nil
}

func (k *volumes) Accounts(out []work.Account) []work.Account {
	for _, c := range k.Volumes {
		out = append(out, c.Work())
	}
	return out
}

func (k *volumes) Parts() (parts []system.Part) {
	for i, c := range k.Volumes {
		prefix, c := fmt.Sprintf("volume.%d.", i), &c.State
		parts = append(parts, []system.Part{
			{Name: prefix + "press", Values: c.NormalForce}, {Name: prefix + "drag", Values: c.FrictionForce},
			{Name: prefix + "press_moment", Values: c.NormalMoment}, {Name: prefix + "drag_moment", Values: c.FrictionMoment},
			{Name: prefix + "normal_work", Values: &c.NormalWork}, {Name: prefix + "friction_work", Values: &c.FrictionWork},
			{Name: prefix + "peak_pressure", Values: &c.PeakPressure}, {Name: prefix + "widest", Values: &c.Speeds.Linear}, {Name: prefix + "fastest", Values: &c.Speeds.Slip},
		}...)
	}
	return parts
}

func (k *volumes) ContactForces(out []system.ContactForce) []system.ContactForce {
	for i, c := range k.Volumes {
		w := c.Work()
		out = append(out, system.ContactForce{
			Name: c.Name, ByVolume: true, Active: len(c.Patches), Normal: c.Normal, Tangential: c.Tangential,
			PeakPressure: c.PeakPressure, PeakForce: k.PeakForce[len(k.Surfaces)+i], Dissipated: w.Dissipated() + w.FrictionLoss(),
		})
		out[len(out)-1].SetSpeeds(c.Friction, c.Speeds, w.FrictionLoss())
	}
	return out
}

func (k *volumes) EachContact(each func(system.ContactLoad)) {
	for _, c := range k.Volumes {
		each(system.ContactLoad{Name: c.Name, Normal: c.Normal, Tangential: c.Tangential})
	}
}
