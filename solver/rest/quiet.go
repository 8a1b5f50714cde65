package rest

import (
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Quiet is the vibration of bodies under their own weight.
type Quiet struct {
	Energy float64 // of these vibrations [J]
	Power  float64 // of light damping on them [W]
}

// QuietVibrations returns the vibrations of bodies under their own weight. A free component
// vibrates along itself or on the softest body on which it may rest. For a held component, such as
// ground, a third of the travel time of sound through its depth gives twice the energy of the
// vibrations that sudden weight causes.
func (s *RestFinder) QuietVibrations() (q Quiet) {
	p := s.components()
	slowness := p.slowness(s)
	type component struct {
		lo, hi     r2.Vec
		mass, slow float64
		held       bool
	}
	components := make([]component, len(p.node))
	for n, mass := range p.mass {
		if mass == 0 {
			continue
		}
		k, x := &components[p.components[n]], p.position(s, n)
		if k.mass == 0 {
			k.lo, k.hi = x, x
		}
		k.lo, k.hi = r2.Vec{X: min(k.lo.X, x.X), Y: min(k.lo.Y, x.Y)}, r2.Vec{X: max(k.hi.X, x.X), Y: max(k.hi.Y, x.Y)}
		k.mass += mass
		k.slow = max(k.slow, slowness[n])
		k.held = k.held || p.held[n] != 0
	}
	g, yields := elementary.Norm(s.Model.Gravity), yieldsOf(s.View.Analysis.Model)
	add := func(mass, along float64) {
		weight := mass * g
		q.Energy += max(float64(along*along*weight*g), float64(weight*weight*yields))
		q.Power += float64(s.Model.Damping.Stiffness * weight * g)
	}
	for i := range components {
		k := &components[i]
		if along := r2.Sub(k.hi, k.lo); !k.held {
			add(k.mass, max(along.X, along.Y)*k.slow)
		} else if g > 0 {
			down := r2.Scale(1/g, s.Model.Gravity)
			depth := (float64(math.Abs(down.X)*along.X) + float64(math.Abs(down.Y)*along.Y)) * k.slow
			q.Energy += float64(k.mass * g * g * depth * depth / 3)
		}
	}
	for i := range s.Rigids {
		add(s.Rigids[i].Mass, 0)
	}
	return q
}

// yieldsOf returns the compression of the softest body per force [m/N].
func yieldsOf(m *models.Model) (most float64) {
	for i := range m.Bodies {
		most = max(most, 1/(m.Materials[m.Bodies[i].Material].Young*m.Thickness))
	}
	return most
}

// slowness returns the travel time of sound per length, per index [s/m].
func (p *components) slowness(s *RestFinder) []float64 {
	slow := make([]float64, len(p.node))
	for i := range s.Model.Bodies {
		b, m := &s.Mesh.Bodies[i], &s.Materials[s.Model.Bodies[i].Material]
		nodes := b.Nodes
		if p.corner != nil && b.Kind == mesh.OfTriangles {
			nodes = p.corner[3*b.First : 3*b.End]
		}
		for _, n := range nodes {
			slow[n] = max(slow[n], math.Sqrt(m.Density/m.Young))
		}
	}
	return slow
}
