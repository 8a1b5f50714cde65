package model

import (
	"slices"

	"fdem/solver/nodes"
)

// HeldSides returns, for each corner of the triangles, how fixes and drives hold that part of its
// vertex, apart from fixes that come or go; nil if each of them holds all of its vertices.
func (m *Model) HeldSides() []uint8 {
	divided := func(c *Corners) bool { return c.First != nil }
	if !slices.ContainsFunc(m.Fixes, func(f Fix) bool { return !f.Staged() && divided(&f.Corners) }) && !slices.ContainsFunc(m.Drives, func(d Drive) bool { return divided(&d.Corners) }) {
		return nil
	}
	held := make([]uint8, 3*len(m.Mesh.Triangles))
	hold := func(of []int32, at *Corners, x, y bool) {
		bits := nodes.Directions(x, y)
		EachCorner(m.Mesh.Triangles, len(m.Mesh.X), of, at, func(t int32, c int) { held[3*t+int32(c)] |= bits })
	}
	for i := range m.Fixes {
		f := &m.Fixes[i]
		if f.Staged() {
			continue
		}
		hold(f.Nodes, &f.Corners, f.X, f.Y)
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		hold(d.Nodes, &d.Corners, d.X, d.Y)
	}
	return held
}

// EachCorner calls do with the corners of triangles at vertices in a list, of a number of vertices.
// Where the list names corners at a vertex these are all.
func EachCorner(triangles [][3]int32, count int, of []int32, at *Corners, do func(t int32, c int)) {
	index := slices.Repeat([]int32{-1}, count)
	for i, n := range of {
		index[n] = int32(i)
	}
	for t, ns := range triangles {
		for c, n := range ns {
			i := index[n]
			if i < 0 {
				continue
			}
			corners := at.At(int(i))
			if len(corners) == 0 || slices.ContainsFunc(corners, func(c Corner) bool { return c.Triangle == int32(t) }) {
				do(int32(t), c)
			}
		}
	}
}
