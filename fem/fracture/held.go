package fracture

import "slices"

// A support may hold the bodies on one side of a joint or a crack and not those on the other.
// At a vertex that has not opened yet the internal force then acts on the support. The force
// of the support belongs to the triangles that it holds, and the others get the internal force
// alone. Without the support's force a load on the held side would be divided by the masses
// of both sides, and the strength would be reached at twice the load.

// HeldX and HeldY tell how a support holds a part of a vertex.
const (
	HeldX = 1 << iota
	HeldY
)

// setHeld sets which parts of vertices are held, by corners of triangles (Config.Held). Triangles
// that are held at all corners do not count for the mean stress: their stress says nothing about
// their load.
func (f *fans) setHeld(corners []uint8) {
	if corners == nil {
		return
	}
	f.held, f.mixed = make([]uint8, len(f.tri)), make([]bool, len(f.vertex))
	for k := range f.vertex {
		from, end := f.first[k], f.first[k+1]
		for i := from; i < end; i++ {
			f.held[i] = corners[3*f.tri[i]+int32(f.corner[i])]
			f.mixed[k] = f.mixed[k] || f.held[i] != f.held[from]
		}
		if !f.mixed[k] {
			continue
		}
		still := func(t int32) bool { return corners[3*t]&corners[3*t+1]&corners[3*t+2] != 0 }
		if !slices.ContainsFunc(f.tri[from:end], func(t int32) bool { return !still(t) }) {
			continue
		}
		for i := from; i < end; i++ {
			if still(f.tri[i]) {
				f.whole[k] -= f.volume[i]
				f.volume[i] = 0
			}
		}
	}
}

// support adds the forces of a support to those of a fan's triangles. On each part of the
// vertex they balance the sum of forces, and the held triangles share them by their masses.
func (z *Zone) support(k int32, at *fan) {
	f := z.fans
	held := f.held[f.first[k]:f.first[k+1]]
	n := len(held)
	for i := 0; i < n; {
		first, count := 0, n
		if f.anyOpen(k) || !f.closed(k) {
			first, count = z.run(k, i)
		}
		var x, y, massX, massY float64
		for d := range count {
			j := (first + d) % n
			x, y = x+at.force[j].X, y+at.force[j].Y
			massX += float64(float64(held[j]&HeldX) * at.mass[j])
			massY += float64(float64(held[j]&HeldY) * at.mass[j])
		}
		for d := range count {
			j := (first + d) % n
			if held[j]&HeldX != 0 {
				at.force[j].X -= float64(x * (at.mass[j] * HeldX / massX))
			}
			if held[j]&HeldY != 0 {
				at.force[j].Y -= float64(y * (at.mass[j] * HeldY / massY))
			}
		}
		i += count
	}
}
