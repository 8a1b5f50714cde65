package fracture

import (
	"slices"

	"fdem/fem"
)

// Several processes may share the triangles (package ranks). Each has positions and velocities of
// its own nodes and of a few others, and the results of the laws of its own triangles. All
// processes search the same vertices and find the same openings. Before the search each process
// gets the values that it does not have.

// getAround gets the triangles around the vertices of the given ones.
func (z *Zone) getAround(above []fem.Span) {
	if z.GetNodes == nil {
		return
	}
	s, f := &z.scan, z.fans
	s.stamp++
	s.missing, s.around = s.missing[:0], s.around[:0]
	for _, h := range above {
		for t := h.First; t < h.End; t++ {
			for _, k := range f.at[t] {
				if k >= 0 && s.seen[k] != s.stamp {
					s.seen[k] = s.stamp
					z.listMissing(k)
				}
			}
		}
	}
	for _, k := range z.fluid.tips {
		z.listMissing(k)
	}
	z.getMissing()
}

// getFans gets the triangles of some fans.
func (z *Zone) getFans(fans []int32) {
	if z.GetNodes == nil {
		return
	}
	z.scan.missing, z.scan.around = z.scan.missing[:0], z.scan.around[:0]
	for _, k := range fans {
		z.listMissing(k)
	}
	z.getMissing()
}

// listMissing lists a fan's triangles, and their nodes.
func (z *Zone) listMissing(k int32) {
	s, f := &z.scan, z.fans
	for _, t := range f.tri[f.first[k]:f.first[k+1]] {
		s.missing, s.around = append(s.missing, z.nodes[t][:]...), append(s.around, t)
	}
}

// getMissing gets the triangles that are listed.
func (z *Zone) getMissing() {
	s := &z.scan
	slices.Sort(s.missing)
	if s.missing = slices.Compact(s.missing); len(s.missing) > 0 {
		z.GetNodes(s.missing, s.around)
	}
}

// Beside calls the function with the nodes of the triangles beside the edges that have opened since
// the opening with the number from; with some of them more than once.
func (z *Zone) Beside(from int, each func(n int32)) {
	for i := range z.opened[min(from, len(z.opened)):] {
		o := &z.opened[from+i]
		for _, e := range [2]int32{o.spoke, o.second} {
			if e < 0 {
				continue
			}
			for _, t := range [2]int32{z.edges[e].A, z.edges[e].B} {
				for _, n := range z.nodes[t] {
					each(n)
				}
			}
		}
	}
}
