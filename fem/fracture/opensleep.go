package fracture

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Vertices that are already open and need no search of their parts. Cracks there move, so the
// stress of triangles is not sufficient (sleep.go). The forces on the corners of the fan, with
// those of the cracks, are known in every step. A search of a vertex without a candidate finds by
// how much they and the positions of the nodes may change before a chord can be a candidate. Until
// then its parts are not searched. This does not change the bits of a result. After a resume the
// first searches find all values again.
//
// In complex numbers the traction on a chord C with the internal force R is T = R/(h C), h half the
// thickness: its real and imaginary part are normal and shear traction. With R + dR and C + dC it changes
// by (dR/h - T dC)/(C + dC), so by at most
//
//	(|dR|/h + |T| |dC|)/(|C| - |dC|).
//
// R is the sum of the forces F_i on the corners with factors between -1 and 1, so |dR| is at most
// the sum of |dF_i|. Nodes that have moved by at most w change a chord of one spoke by at most |dC|
// = 2 w, also if its far end is the midpoint of two nodes. Let m be the change of the traction at
// which the chord uses the level of its strength that a candidate needs. This level is
// besideFactor, or minChordUse if the chord extends a crack from its end
// (cohesive.Strength.PlaneMargin). The chord is no candidate as long as
//
//	2 w (m + |T|) <= m |C|/2   and   sum |dF_i| <= h m |C|/2.
//
// Fans with prescribed cracks, joints, supports of some of their triangles, or a fluid are always
// searched. So are all fans in models that several processes share.

// slack is the change of a fan without a candidate up to which it has none.
type slack struct {
	force  float64 // sum of the changes of the forces on its corners [N]; 0 for none
	travel float64 // the displacement of all nodes, see openSleep.travel, up to which it holds [m]
}

// openSleep is the state of the vertices whose parts are not searched.
type openSleep struct {
	slacks    []slack  // of each fan
	reference []r2.Vec // of each of its triangles, the force on its corner when the slack was found [N]
	travel    float64  // sum of the greatest displacements of a node between searches [m]
	positions []r2.Vec // of the nodes at the last search
	never     []bool   // of each fan: its parts are always searched
}

// initOpenSleep allocates the state of vertices that are open.
func (z *Zone) initOpenSleep(x []r2.Vec) {
	f, s := z.fans, &z.openSleep
	s.slacks, s.reference, s.positions = make([]slack, len(f.vertex)), make([]r2.Vec, len(f.tri)), slices.Clone(x)
	s.never = make([]bool, len(f.vertex))
	for k := range f.vertex {
		s.never[k] = f.mixed != nil && f.mixed[k] || slices.ContainsFunc(f.spokesOf(int32(k)), func(q int32) bool {
			return q >= 0 && (z.regions[z.edges[q].Region].Prescribed || z.hasSprings(q))
		})
	}
}

// addTravel adds the greatest displacement of a node since the last search.
func (z *Zone) addTravel(x []r2.Vec) {
	if len(z.cracks) == 0 {
		return
	}
	s, most := &z.openSleep, 0.0
	for k, used := range z.pages.Used {
		first := k * int(z.pages.Slots)
		now, before := x[first:first+int(used)], s.positions[first:first+int(used)]
		for i := range now {
			dx, dy := now[i].X-before[i].X, now[i].Y-before[i].Y
			most = max(most, float64(dx*dx)+float64(dy*dy))
		}
		copy(before, now)
	}
	s.travel += math.Sqrt(most)
}

// openSpoke opens a spoke of fan k at its vertex; the node at its far end is other. Both fans are
// searched again.
func (z *Zone) openSpoke(k, spoke, other int32) {
	z.fans.openSpoke(k, spoke, other)
	if s := z.openSleep.slacks; s != nil {
		s[k] = slack{}
		if q := z.fans.of[other]; q >= 0 {
			s[q] = slack{}
		}
	}
}

// sleepsOpen tells whether fan k, with the given forces on its corners, certainly has no candidate.
func (z *Zone) sleepsOpen(k int32, force []r2.Vec) bool {
	s := &z.openSleep
	of := &s.slacks[k]
	if of.force == 0 || s.travel > of.travel {
		return false
	}
	reference, change := s.reference[z.fans.first[k]:z.fans.first[k+1]][:len(force)], 0.0
	for i := range force {
		change += math.Abs(force[i].X-reference[i].X) + math.Abs(force[i].Y-reference[i].Y)
	}
	return change <= of.force
}

// lowerSlack lowers a slack, with a travel from now on, to that of a chord of one spoke, whose normal
// is as long as the chord; goes tells whether the chord extends a crack from its end.
func (z *Zone) lowerSlack(s *slack, spoke int32, internal, chord r2.Vec, goes bool) {
	if s.force == 0 {
		return
	}
	level := besideFactor
	if goes {
		level = minChordUse
	}
	wide, half := length(chord), 0.5*z.thickness
	nx, ny := chord.X/wide, chord.Y/wide
	normal := (float64(internal.X*nx) + float64(internal.Y*ny)) / (half * wide)
	shear := (float64(internal.Y*nx) - float64(internal.X*ny)) / (half * wide)
	m := float64(below * z.planeMargin(spoke, none, normal, shear, level*(1-2*roundoff)))
	if !(m > 0) {
		*s = slack{}
		return
	}
	s.force = min(s.force, 0.5*half*m*wide)
	s.travel = min(s.travel, 0.25*m*wide/(m+math.Abs(normal)+math.Abs(shear)))
}

// sleepOpen stores the slack of fan k that a search without a candidate has found, and the forces
// on its corners.
func (z *Zone) sleepOpen(k int32, found slack, force []r2.Vec) {
	s := &z.openSleep
	if found.force > 0 {
		copy(s.reference[z.fans.first[k]:z.fans.first[k+1]], force)
		found.force, found.travel = found.force*below, s.travel+float64(found.travel*below)
	}
	s.slacks[k] = found
}
