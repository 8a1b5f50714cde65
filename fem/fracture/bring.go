package fracture

import (
	"slices"

	"fdem/fem"
)

// Where several processes share the triangles, each has places and velocities of its own
// nodes and of a few others, and what the laws of its own triangles have answered (package ranks). What opens all of them find, from the same
// triangles that are woken: before they look at vertices they get what they lack.

// bringAround gets the triangles round the vertices of hot ones.
func (z *Zone) bringAround(hot []fem.Span) {
	if z.Bring == nil {
		return
	}
	s, f := &z.scan, z.fans
	s.stamp++
	s.lacked, s.around = s.lacked[:0], s.around[:0]
	for _, h := range hot {
		for t := h.First; t < h.End; t++ {
			for _, k := range f.at[t] {
				if k >= 0 && s.seen[k] != s.stamp {
					s.seen[k] = s.stamp
					z.lack(k)
				}
			}
		}
	}
	for _, k := range z.wet.tips {
		z.lack(k)
	}
	z.bringLacked()
}

// bringFans gets the triangles of some fans.
func (z *Zone) bringFans(fans []int32) {
	if z.Bring == nil {
		return
	}
	z.scan.lacked, z.scan.around = z.scan.lacked[:0], z.scan.around[:0]
	for _, k := range fans {
		z.lack(k)
	}
	z.bringLacked()
}

// lack lists a fan's triangles, and their nodes.
func (z *Zone) lack(k int32) {
	s, f := &z.scan, z.fans
	for _, t := range f.tri[f.first[k]:f.first[k+1]] {
		s.lacked, s.around = append(s.lacked, z.nodes[t][:]...), append(s.around, t)
	}
}

// bringLacked gets the triangles that are listed.
func (z *Zone) bringLacked() {
	s := &z.scan
	slices.Sort(s.lacked)
	if s.lacked = slices.Compact(s.lacked); len(s.lacked) > 0 {
		z.Bring(s.lacked, s.around)
	}
}

// Beside calls the function with the nodes of the triangles beside the edges that have opened
// since there were so many openings; with one more than once.
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
