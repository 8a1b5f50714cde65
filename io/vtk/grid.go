package vtk

import "bytes"

// The cells of a grid as in files: their number, and the sources of their nodes, of the
// end of each cell's nodes, and of their types.

// cells returns the number of cells.
func (g *Grid) cells() int {
	if g.vertices {
		return len(g.Points)
	}
	return len(g.Triangles) + len(g.Lines)
}

// sources returns the sources of the cells' nodes, of the end of each cell's
// nodes, and of the types.
func (g *Grid) sources() (nodes, ends, types source) {
	const vertex, line, triangle = 1, 3, 5
	if g.vertices {
		n := len(g.Points)
		each := func(from int64) source {
			return source{n, 8, func(i, end int) []byte { return bytesOf(counting(int64(i)+from, int64(end)+from)) }}
		}
		return each(0), each(1), source{n, 1, func(i, end int) []byte { return bytes.Repeat([]byte{vertex}, end-i) }}
	}
	triangles, lines := len(g.Triangles), len(g.Lines)
	nodes = source{3*triangles + 2*lines, 8, func(i, end int) []byte {
		of := make([]int64, 0, end-i)
		for ; i < end; i++ {
			if i < 3*triangles {
				of = append(of, int64(g.Triangles[i/3][i%3]))
			} else {
				k := i - 3*triangles
				of = append(of, int64(g.Lines[k/2][k%2]))
			}
		}
		return bytesOf(of)
	}}
	ends = source{triangles + lines, 8, func(i, end int) []byte {
		of := make([]int64, 0, end-i)
		for ; i < end; i++ {
			of = append(of, int64(3*min(i+1, triangles)+2*max(i+1-triangles, 0)))
		}
		return bytesOf(of)
	}}
	return nodes, ends, source{triangles + lines, 1, func(i, end int) []byte {
		of := min(max(triangles-i, 0), end-i)
		return append(bytes.Repeat([]byte{triangle}, of), bytes.Repeat([]byte{line}, end-i-of)...)
	}}
}

// counting returns the numbers [first, end).
func counting(first, end int64) []int64 {
	out := make([]int64, end-first)
	for i := range out {
		out[i] = first + int64(i)
	}
	return out
}

// grid returns points as a grid, a vertex each.
func (p *Points) grid() *Grid {
	return &Grid{Points: p.Points, PointData: p.PointData, Time: p.Time, vertices: true, changing: !p.Constant}
}

// grid returns lines as a grid.
func (l *Lines) grid() *Grid {
	g := &Grid{Points: l.Points, PointData: l.PointData, CellData: l.CellData, Time: l.Time, changing: true}
	for i := int32(0); int(i) < len(l.Points); i += 2 {
		g.Lines = append(g.Lines, [2]int32{i, i + 1})
	}
	return g
}
