package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/mesh"
	"fdem/solver/model"
)

var modulusBlock = tables.Block{Name: "material.scatter", Doc: "Factors on Young's modulus that differ from triangle to triangle, by Weibull's distribution with the mean 1, in 64 steps of equal probability. The moduli of a law along fibres have the same factor.", Keys: []tables.Key{
	{Name: "weibull", Kind: tables.Quantity, Bounds: atLeastOne, Example: "10", Doc: "Weibull's modulus of Young's modulus"},
	{Name: "length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "correlation length, over which moduli are similar; without it the triangles are independent"},
	{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, 1<<31-1), Default: "1", Doc: "seed of the random numbers; another seed gives another body"},
	{Name: "correlation", Kind: tables.Quantity, Bounds: fromMinusOne, Default: "0", With: []tables.With{tables.If("length")}, Doc: "correlation with the strength of the [[fracture]] whose scatter has the same seed and length: with 1 weak rock is soft"},
}}

// fromMinusOne is the bounds of a correlation.
var fromMinusOne = tables.Bounds{Rule: "must be at least -1 and at most 1", Keep: func(v float64) bool { return v >= -1 && v <= 1 }}

// youngs is the number of steps of a distribution of moduli.
const youngs = 64

// spread gives the triangles of a material moduli of their own, if the material has a
// distribution.
func (d *Deck) spread(t *tables.Reader, e bulk.Elastic) {
	if !t.Has("scatter") {
		return
	}
	from := t.Sub("scatter")
	from.Check(nil)
	s := cohesive.Scatter{Modulus: from.Number("weibull"), Length: from.Number("length"), Seed: uint64(from.Whole("seed"))}
	if from.Has("length") {
		s.Correlation = from.Number("correlation")
	}
	var steps []bulk.Material
	for _, f := range factors(s) {
		own := e
		own.Young *= f
		steps = append(steps, bulk.Material{Elastic: own, Law: bulkLaw(t, own, f)})
	}
	material := int32(len(d.model.Materials))
	d.moduli = append(d.moduli, moduli{material, s})
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		if s.Correlation != 0 && !slices.ContainsFunc(d.fractures, func(f fracturing) bool {
			return f.scatter.Modulus > 0 && f.scatter.Seed == s.Seed && f.scatter.Length == s.Length
		}) {
			from.Bad("correlation", "correlation needs strengths that vary: no [[fracture]] has a scatter with weibull and the same seed and length")
		}
		if m.Spread == nil {
			m.Spread = &model.Spread{Of: slices.Repeat([]int32{-1}, len(r.mesh.Triangles))}
		}
		first := int32(len(m.Spread.Materials))
		m.Spread.Materials = append(m.Spread.Materials, steps...)
		for i := range m.Bodies {
			if b := &m.Bodies[i]; b.Material == material {
				r.spreadOver(t, m, i, first, s)
			}
		}
	})
}

// factors returns the mean of each step of the distribution. Their overall mean is
// 1.
func factors(s cohesive.Scatter) []float64 {
	const fine = 32
	out := make([]float64, youngs)
	sum := 0.0
	for i := range out {
		for k := range fine {
			out[i] += s.Young((float64(i*fine+k) + 0.5) / (fine * youngs))
		}
		sum += out[i]
	}
	for i := range out {
		out[i] *= youngs / sum
	}
	return out
}

// spreadOver gives the triangles of a body their moduli, whose materials begin
// at number first.
func (r *resolver) spreadOver(t *tables.Reader, m *model.Model, body int, first int32, s cohesive.Scatter) {
	b := &r.mesh.Bodies[body]
	switch {
	case m.Bodies[body].Height > 0:
		t.Bad("scatter", "beam %q has this material, and the modulus of a beam cannot vary: give it a material without scatter", b.Name)
	case r.mesh.Pairs != nil && slices.Contains(r.mesh.Pairs[b.First:b.End], true):
		t.Bad("scatter", "triangles of body %q are paired and share their change of volume, since its material yields or is nearly incompressible in plane strain: give it a material without scatter", b.Name)
	}
	for k := b.First; k < b.End; k++ {
		m.Spread.Of[k] = first + stepOf(r.mesh, k, s)
	}
}

// stepOf returns the step of the distribution for a triangle.
func stepOf(m *mesh.Mesh, k int32, s cohesive.Scatter) int32 {
	n := m.Triangles[k]
	p, q, o := m.X[n[0]], m.X[n[1]], m.X[n[2]]
	share := s.YoungShare(int64(m.TriID[k]), (p.X+q.X+o.X)/3, (p.Y+q.Y+o.Y)/3)
	return min(youngs-1, int32(share*youngs))
}

// moduli is the random distribution of the moduli of a material's triangles.
type moduli struct {
	material int32
	cohesive.Scatter
}

// withModuli puts triangles of one modulus side by side, since forces are computed for four
// triangles of one material at a time.
func (d *Deck) withModuli(m *mesh.Mesh) *mesh.Mesh {
	if len(d.moduli) == 0 {
		return m
	}
	step := make([]int32, len(m.Triangles))
	for i := range d.bodies {
		b := &m.Bodies[i]
		if m.Pairs != nil && slices.Contains(m.Pairs[b.First:b.End], true) {
			continue // an error later
		}
		for _, s := range d.moduli {
			for k := b.First; s.material == d.bodies[i].Material && k < b.End; k++ {
				step[k] = stepOf(m, k, s.Scatter)
			}
		}
	}
	return m.WithRuns(step)
}
