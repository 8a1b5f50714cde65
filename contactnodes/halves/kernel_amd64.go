package halves

import (
	"golang.org/x/sys/cpu"

	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C ../../fem/asm ./halves -out ../../contactnodes/halves/four_amd64.s -stubs ../../contactnodes/halves/four_amd64.go -pkg halves

// Choose returns the fastest kernel of this machine, or the plain one.
func Choose(generic bool) Kernel {
	if generic || !cpu.X86.HasAVX2 {
		return plain
	}
	return Kernel{meetVector, spreadVector, powerVector}
}

func meetVector(f []Four, halves []Half, x, v []r2.Vec, q *Query) {
	if len(f) > 0 {
		meetAVX2(&f[0].Half[0], len(f), &halves[0].Nodes[0], &x[0].X, &v[0].X, &q.Zero[0])
	}
}

func spreadVector(f []Four, halves []Half, s *Spreading) {
	if len(f) > 0 {
		n := len(s.Drags)
		drags := s.Drags[n : n+2*Lanes*len(f)]
		s.Drags = s.Drags[:n+spreadAVX2(&f[0].Half[0], len(f), &halves[0].Nodes[0], &s.Normal, &drags[0].Nodes[0])]
	}
}

func powerVector(drags []Drag, v []r2.Vec, sum float64) float64 {
	n := len(drags) / Lanes
	if n > 0 {
		sum = powerAVX2(&drags[0].Nodes[0], n, &v[0].X, sum)
	}
	return powerPlain(drags[n*Lanes:], v, sum)
}
