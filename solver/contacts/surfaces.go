package contacts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// Surfaces are the node-to-segment penalty contacts (package contactnodes), and
// the neighbour search that serves them all.
type Surfaces struct {
	system.View
	*bodies.ContactState
	outlines *bodies.Outlines
	contacts *Contacts
	chatters []*chatter               // of contacts with friction in time; nil for others
	byName   []int                    // indices in the order of the names, in which forces are added
	lap      func(contactnodes.Stage) // returns the time, in steps that are timed
}

// addSurfaces makes the contacts by contact nodes and their search.
func (s *Contacts) addSurfaces(mobility []float64) {
	k := &Surfaces{View: s.View, ContactState: s.ContactState, outlines: s.Outlines, contacts: s}
	k.lap = func(p contactnodes.Stage) { s.Timer.Lap(&s.Timer.Others[system.PhaseContact+int(p)]) }
	edges := make([]boundingbox.Edge, len(s.Mesh.Edges))
	material := make([]int32, len(s.Mesh.Edges))
	mass := make([]float64, len(s.Mesh.Edges))
	bearer := make([]int32, len(s.Mesh.Edges))
	var rigid []contactnodes.Rigidity
	var turn []float64
	if len(s.Rigids) > 0 {
		rigid, turn = make([]contactnodes.Rigidity, len(s.Mesh.Edges)), make([]float64, len(s.Mesh.Edges))
		s.bodies.Pull = make([]float64, len(s.Mesh.Edges))
	}
	for i, e := range s.Mesh.Edges {
		bearer[i] = int32(i)
		b := &s.Mesh.Bodies[e.Body]
		if b.Kind == mesh.OfOutline {
			r := &s.Rigids[b.Number]
			material[i], mass[i], rigid[i] = r.Material, r.Mass, contactnodes.Free
			if mass[i] == 0 {
				mass[i], rigid[i] = math.Inf(1), contactnodes.Held
			}
			bearer[i], turn[i] = int32(b.FirstEdge), s.bodies.List[b.Number].InverseInertia
		} else {
			material[i], mass[i] = s.Model.Bodies[e.Body].Material, s.BodyMass[e.Body]
		}
		edges[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component}
	}
	s.Outlines.Deepen()
	width, breaks, bend := s.Widths(), s.Model.BreaksBy(), s.Mesh.ArcBends()
	for i := range s.Model.Contacts {
		c := &s.Model.Contacts[i]
		settles := c.Factor > 0 && s.Static == nil
		corners := settles && !c.Ends && s.CornersMeet(c, rigid)
		arcs := Arcs(s.Model, c, bend)
		friction := c.Friction
		friction.Brake /= 1 + s.Model.Damping.Local // which adds its share to every force
		s.Outlines.Raise(c, arcs)
		k.byName = append(k.byName, i)
		s.Surfaces = append(s.Surfaces, contactnodes.New(contactnodes.Config{
			Name: c.Name, Contactor: c.Contactor, Opposite: c.Opposite, Law: c.Law, LawName: c.LawName, StiffnessKey: c.StiffnessKey, SuitableStiffness: c.Suitable, StiffnessFactor: c.Factor, Penetration: c.Penetration.Share, Nodes: c.NodesPerElement, Ends: c.Ends,
			TwoSided: c.TwoSided || corners, Self: c.Self, Material: material, MaterialPair: c.Pair, Elsewhere: c.Elsewhere, Apart: c.Apart, Thickness: s.Thickness, Mass: mass, Width: width, Representative: bearer, Rigid: rigid, InverseInertia: turn, Pull: s.bodies.Pull, RestDamping: settles, Static: s.Static != nil, Corners: corners, Arcs: arcs, Friction: friction, Rolling: c.Rolling, Overlap: c.Overlap, Generic: s.Generic,
		}, s.Outlines.Lines, s.Mesh.X, mobility))
		s.Surfaces[i].Join(edges, i)
		k.chatters = append(k.chatters, nil)
		if c.Friction.Kinetic > 0 && s.Static == nil && s.mayChatter(c, breaks) {
			k.chatters[i] = &chatter{}
		}
	}
	s.excludePairs(edges)
	slices.SortFunc(k.byName, func(i, j int) int { return strings.Compare(s.Model.Contacts[i].Name, s.Model.Contacts[j].Name) })
	s.Outlines.Search = boundingbox.New(edges, s.Outlines.Lines.Reach, 0)
	if len(s.Surfaces) > 0 {
		s.Engines = append(s.Engines, k)
	}
}

// excludePairs marks edges that the search need not pair: edges that cannot move, edges of
// one body that breaks, whose fragments are in contact by their triangles, and edges that
// are tied to each other.
func (s *Contacts) excludePairs(edges []boundingbox.Edge) {
	for i, e := range s.Mesh.Edges {
		b := &s.Mesh.Bodies[e.Body]
		if b.Kind != mesh.OfOutline {
			continue
		}
		if r := &s.bodies.List[b.Number]; r.Inverse == 0 && r.Released == [3]bool{} {
			edges[i].Held = true
		}
	}
	for body, breaks := range s.Model.BreaksBy() {
		if b := &s.Mesh.Bodies[body]; breaks > 0 {
			for i := b.FirstEdge; i < b.EndEdge; i++ {
				edges[i].Own = int32(body) + 1
			}
		}
	}
	s.Model.MarkTied(func(e int32, bit uint64) { edges[e].Tied |= bit })
}

func (k *Surfaces) UseThreads(t *threads.Team) {
	for _, c := range k.Surfaces {
		c.Workers(t.Workers, t.Run)
	}
}

// Name is that of what the phases of an evaluation leave: predictions, and sums of the results.
func (k *Surfaces) Name() string { return "contact of edges" }

func (k *Surfaces) Recompute() error {
	for _, c := range k.Surfaces {
		if err := c.Restore(); err != nil {
			return err
		}
	}
	return nil
}

func (k *Surfaces) EndExcavated() (stored float64) {
	for _, c := range k.Surfaces {
		stored += c.EndExcavated()
	}
	return stored
}

func (k *Surfaces) AddForces(commit bool) error {
	next := k.outlines.Prediction()
	pairs := k.outlines.Search.PairsAfter(k.X) // rebuilt only after a displacement of half the skin
	k.Timer.Lap(&k.Timer.Others[system.PhaseSearch])
	for _, i := range k.byName {
		c := k.Surfaces[i]
		c.Lap = nil
		if k.Timer.On {
			c.Lap = k.lap
		}
		if !commit {
			if err := c.Try(k.Contact, k.X, k.V, pairs, k.Time, k.Last); err != nil {
				return err
			}
			continue
		}
		if err := c.AddForces(k.Contact, k.X, k.V, pairs, k.Time, k.Last, next); err != nil {
			return err
		}
		k.PeakForce[i] = max(k.PeakForce[i], c.Normal)
		if h := k.chatters[i]; h != nil {
			h.add(c, k.Time)
		}
	}
	if k.Timer.On {
		k.count(len(pairs.List))
	}
	return nil
}

// count reports the numbers of candidates and contact nodes.
func (k *Surfaces) count(candidates int) {
	touching, coming := 0, 0
	for _, c := range k.Surfaces {
		touching += c.Active
		coming += c.Approaching
	}
	k.Timer.Count("candidate pairs of edges", candidates)
	k.Timer.Count("contact nodes that touch", touching)
	k.Timer.Count("contact nodes about to touch", coming)
}

func (k *Surfaces) Balance() error {
	for _, c := range k.Surfaces {
		if damped, ok := c.Law.(contact.Damped); ok && damped.Damping() > 0 {
			return fmt.Errorf("contact %q: the law damps, a static analysis has no rate: leave its damping out", c.Name)
		}
		if c.Friction.Kinetic > 0 && !c.Friction.Sticks() {
			return fmt.Errorf("contact %q: regularised friction follows the slip speed, a static analysis has none: let it stick", c.Name)
		}
	}
	return nil
}

func (k *Surfaces) Tangents(out []contactnodes.TangentTerm) []contactnodes.TangentTerm {
	for _, i := range k.byName {
		out = k.Surfaces[i].Tangent(out, k.X)
	}
	return out
}

func (k *Surfaces) Overlap(evaluated bool) error {
	if evaluated {
		return nil
	}
	var overlap *OverlapError
	c, err := k.overlapping()
	if errors.As(err, &overlap) {
		overlap.Enclosed, overlap.Allowed = k.outlines.Enclosed(c), c.Config.Overlap.Mode == contactnodes.OverlapAllow
	}
	return err
}

// overlapping returns the first contact whose bodies overlap although the deck does not
// allow it, and its error.
func (k *Surfaces) overlapping() (*contactnodes.Contact, error) {
	pairs := k.outlines.Search.Pairs(k.X)
	for _, c := range k.Surfaces {
		if err := c.Begin(k.X, pairs); err != nil {
			return c, TooDeep(err)
		}
		if deep, ok := k.outlines.Undetected(c); ok {
			return c, TooDeep(&deep)
		}
		n, d := c.Overlapping(ContactRounding)
		if n == 0 || c.Config.Overlap.Mode != contactnodes.OverlapRefuse {
			continue
		}
		if deep, _ := c.Overlapping(CoordinateRounding); deep > 0 {
			return c, &OverlapError{Contact: c.Name, Nodes: n, Deflection: d}
		}
		c.Config.Overlap.Mode = contactnodes.OverlapSubtract
		if err := c.Begin(k.X, pairs); err != nil {
			return c, TooDeep(err)
		}
		k.contacts.Rounded = append(k.contacts.Rounded, Rounded{Contact: c.Name, Deflection: d})
	}
	return nil, nil
}

func (k *Surfaces) Accounts(out []work.Account) []work.Account {
	for _, i := range k.byName {
		out = append(out, k.Surfaces[i].Work())
	}
	return out
}

func (k *Surfaces) Parts() (parts []system.Part) {
	for i, c := range k.Surfaces {
		prefix, of, pairs, rolls, c := fmt.Sprintf("contact.%d.", i), c.Columns(), c.PairColumns(), c.RollColumns(), &c.State
		parts = append(parts, []system.Part{
			{Name: prefix + "met", Values: &c.Touched}, {Name: prefix + "memory", Values: &c.Memory}, {Name: prefix + "deflection", Values: &of.Deflection}, {Name: prefix + "pressure", Values: &of.Pressure},
			{Name: prefix + "traction", Values: &of.Traction}, {Name: prefix + "slip", Values: &of.Slip}, {Name: prefix + "held", Values: &of.StickTraction}, {Name: prefix + "spring", Values: &of.StickStiffness}, {Name: prefix + "slides", Values: &of.Sliding},
			{Name: prefix + "peak_pressure", Values: &of.PeakPressure}, {Name: prefix + "share", Values: &of.AreaFraction}, {Name: prefix + "energy", Values: &of.Energy}, {Name: prefix + "offset", Values: &of.Offset},
			{Name: prefix + "normal_work", Values: &c.NormalWork}, {Name: prefix + "friction_work", Values: &c.FrictionWork},
			{Name: prefix + "spring_energy", Values: &c.StickEnergy}, {Name: prefix + "widest", Values: &c.Speeds.Linear}, {Name: prefix + "fastest", Values: &c.Speeds.Slip}, {Name: prefix + "ramp_work", Values: &c.RampWork}, {Name: prefix + "handed_work", Values: &c.TransferWork},

			{Name: prefix + "pairs.components", Values: &pairs.Components}, {Name: prefix + "pairs.inward.x", Values: &pairs.InwardX}, {Name: prefix + "pairs.inward.y", Values: &pairs.InwardY},
			{Name: prefix + "pairs.friction", Values: &pairs.Friction}, {Name: prefix + "pairs.held", Values: &pairs.Spring}, {Name: prefix + "pairs.spring", Values: &pairs.Stiffness}, {Name: prefix + "pairs.slip", Values: &pairs.Slip}, {Name: prefix + "pairs.slides", Values: &pairs.Sliding},
			{Name: prefix + "pairs.offset.components", Values: &pairs.OffsetComponents}, {Name: prefix + "pairs.offset", Values: &pairs.Offset}, {Name: prefix + "pairs.offset.force", Values: &pairs.OffsetForce},
			{Name: prefix + "grips.of", Values: &pairs.GripOf}, {Name: prefix + "grips.friction", Values: &pairs.GripFriction}, {Name: prefix + "grips.held", Values: &pairs.GripSpring}, {Name: prefix + "grips.spring", Values: &pairs.GripStiffness}, {Name: prefix + "grips.slip", Values: &pairs.GripSlip}, {Name: prefix + "grips.slides", Values: &pairs.GripSliding},
			{Name: prefix + "grips.drags.nodes", Values: &pairs.DragNodes}, {Name: prefix + "grips.drags", Values: &pairs.Drags},
			{Name: prefix + "pairs.met", Values: &c.PairElements}, {Name: prefix + "pairs.peaks", Values: &c.PairPeaks}, {Name: prefix + "pairs.peak", Values: &c.PairPeak},
			{Name: prefix + "pairs.stored", Values: &c.PairStored}, {Name: prefix + "pairs.dampers.nodes", Values: &c.PairDampers.Nodes}, {Name: prefix + "pairs.dampers.x", Values: &c.PairDampers.X}, {Name: prefix + "pairs.dampers.y", Values: &c.PairDampers.Y},
			{Name: prefix + "rolls.components", Values: &rolls.Components}, {Name: prefix + "rolls.moment", Values: &rolls.Moment}, {Name: prefix + "rolls.held", Values: &rolls.Spring}, {Name: prefix + "rolls.stiffness", Values: &rolls.Stiffness}, {Name: prefix + "rolls.rate", Values: &rolls.Rate},
		}...)
		if h := k.chatters[i]; h != nil {
			parts = append(parts, h.parts(prefix+"chatter_")...)
			parts = append(parts, system.Part{Name: prefix + "chatter_fed", Values: &k.Surfaces[i].Fed})
		}
	}
	return parts
}

func (k *Surfaces) ContactForces(out []system.ContactForce) []system.ContactForce {
	of := "" // the contact whose parts are added up
	for i, c := range k.Surfaces {
		m := &k.Model.Contacts[i]
		if m.Of == "" || m.Of != of {
			out = append(out, system.ContactForce{Name: cmp.Or(m.Of, m.Name)})
			of = m.Of
		}
		f := &out[len(out)-1]
		f.Active += c.Active
		f.Normal += c.Normal
		f.Tangential += c.Tangential
		f.Surfaces, f.Push, f.Moment = true, r2.Add(f.Push, c.Resultant), f.Moment+c.Moment
		f.PeakPressure, f.PeakForce = max(f.PeakPressure, c.Peak()), max(f.PeakForce, k.PeakForce[i])
		w := c.Work()
		f.Dissipated += w.Dissipated() + w.FrictionLoss()
		f.SetSpeeds(c.Friction, c.Speeds, w.FrictionLoss())
		f.Stiffness = max(f.Stiffness, m.Factor*m.Suitable)
		for _, of := range k.contacts.breaking.Also(i) {
			f.Add(&of)
		}
	}
	return out
}

func (k *Surfaces) EachContact(each func(system.ContactLoad)) {
	of := ""
	for i, c := range k.Surfaces {
		m := &k.Model.Contacts[i]
		b := system.ContactLoad{Name: cmp.Or(m.Of, m.Name), Surfaces: true, Part: m.Of != "" && m.Of == of, Normal: c.Normal, Tangential: c.Tangential, Push: c.Resultant, Moment: c.Moment}
		for _, f := range k.contacts.breaking.Also(i) {
			b.Normal, b.Tangential, b.Push, b.Moment = b.Normal+f.Normal, b.Tangential+f.Tangential, r2.Add(b.Push, f.Push), b.Moment+f.Moment
		}
		each(b)
		of = m.Of
	}
}
