package bodies

import (
	"fdem/mesh"
	"fdem/solver/system"
)

// Beams that come and go. Bodies of beams that are installed during a run have mass and no forces
// before; the shape in which they are installed is that without load. As they are taken out their
// forces fade. Their mass stays.

// stagedBeam is a body of beams that comes or goes.
type stagedBeam struct {
	body       int32 // its number in the model
	first, end int   // its beams
}

// makeStages prepares the bodies of beams that come and go.
func (k *Beams) makeStages() {
	for i := range k.Model.Bodies {
		b := &k.Model.Bodies[i]
		of := &k.Mesh.Bodies[i]
		if of.Kind != mesh.OfBeams || !b.Staged() && b.Ageing == nil {
			continue
		}
		if k.staged == nil {
			k.Stage()
		}
		k.stages.Add(&k.Ledger, "beam "+b.Name, &b.When)
		k.stages.Begun[len(k.staged)] = b.From == 0
		k.staged = append(k.staged, stagedBeam{int32(i), int(of.FirstBeam), int(of.EndBeam)})
	}
	k.setShares()
}

// Staged tells whether some beams come or go.
func (k *Beams) Staged() bool { return len(k.staged) > 0 }

// chooseStages sets the factor of the forces of each body at Time. With commit it installs those whose
// time has come.
func (k *Beams) chooseStages(commit bool) {
	for i := range k.staged {
		s := &k.staged[i]
		if commit && k.stages.Due(i, k.Time) {
			for e := s.first; e < s.end; e++ {
				k.Install(e, k.X, k.Theta)
			}
			k.stages.Install(i, 0, 0, 1)
		}
		if b := &k.Model.Bodies[s.body]; commit && b.Ageing != nil && k.stages.Begun[i] {
			taken := k.Age(s.first, s.end, b.Ageing.At(k.Time-b.From), k.X, k.Theta)
			k.stages.Spent(i, taken)
		}
	}
	k.setShares()
}

// setShares sets the factors of the forces of the beams at Time.
func (k *Beams) setShares() {
	for i := range k.staged {
		s := &k.staged[i]
		if k.stages.Choose(i, k.Time); !k.stages.Begun[i] {
			k.stages.Now[i] = 0
		}
		k.SetShares(s.first, s.end, k.stages.Now[i])
	}
}

// advanceStages ends a step: what the factor of a body's energy does is work from outside.
func (k *Beams) advanceStages() {
	for i := range k.staged {
		k.stages.Advance(i, k.Stored(k.staged[i].first, k.staged[i].end, k.X, k.Theta))
	}
}

// StateParts lists the state of beams and clamps that come and go.
func (k *Beams) StateParts() []system.Part {
	parts := k.clampParts()
	if len(k.staged) == 0 {
		return parts
	}
	return append(append(parts, k.stages.StateParts("beam")...), system.Part{Name: "beam.origins", Values: k.Origins()}, system.Part{Name: "beam.ages", Values: k.Ages()})
}

// Stop holds the nodes of beams that have no forces now, unless triangles have them.
func (k *Beams) Stop(f *system.Freedoms) {
	if len(k.staged) == 0 {
		return
	}
	k.setShares()
	turns, moves := make([]bool, len(k.Mesh.X)), make([]bool, len(k.Mesh.X)) // nodes to which something gives stiffness
	for e, b := range k.Mesh.Beams {
		for _, n := range b {
			if k.Share(e) > 0 {
				turns[n], moves[k.Mesh.PositionNode(n)] = true, true
			}
		}
	}
	for _, t := range k.Mesh.Triangles {
		for _, n := range t {
			moves[n] = true
		}
	}
	for i := range k.Model.Linings {
		for _, b := range k.Model.Linings[i].Bonds {
			moves[b.Node] = true
		}
	}
	for i := range k.staged {
		for _, n := range k.Mesh.Bodies[k.staged[i].body].Nodes {
			free := !moves[k.Mesh.PositionNode(n)]
			f.Stop(n, free, free, !turns[n])
		}
	}
}
