package solver

// supports are what holds nodes: fixes and drives. They act last, where all forces
// are known.
type supports struct {
	idle
	s *Solver
}

// standing are nodes of the mesh with those that cracks have split off them.
type standing struct {
	of, all []int32
	free    int // how many nodes cracks could still add when all was made
}

// now returns the nodes that there are now.
func (g *standing) now(s *Solver) []int32 {
	if s.cracks == nil {
		return g.of
	}
	if free := s.cracks.Free(); g.all == nil || free != g.free {
		g.all, g.free = g.all[:0], free
		for _, n := range g.of {
			for n := range s.cracks.At(n) {
				g.all = append(g.all, n)
			}
		}
	}
	return g.all
}

// addSupports makes the room of what holds.
func (s *Solver) addSupports() {
	if s.drives != nil {
		s.systems = append(s.systems, &supports{s: s})
	}
}

func (k *supports) name() string { return "supports" }

func (k *supports) gather() { k.s.drives.settle() }
