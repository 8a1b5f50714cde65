package benchmarks

import (
	"testing"

	"fdem/io/throw"
)

// A scene that is meant to yield yields everywhere and in every step. The others do not yield.
func TestLawScenes(t *testing.T) {
	for _, c := range lawScenes {
		s := stretched(800, c.law, c.values, c.pairs)
		strains := make([]float64, len(s.Mesh.Triangles))
		least := func() float64 {
			if c.law == "" || c.law == "neo-hooke" {
				return 0
			}
			s.Kinds.Triangles.Values("plastic_strain", strains)
			low := strains[0]
			for _, a := range strains {
				low = min(low, a)
			}
			return low
		}
		for range 100 {
			throw.If(s.Step(0, nil))
		}
		first := least()
		for range 100 {
			throw.If(s.Step(0, nil))
		}
		if grows := least() > first; grows != (c.name == "j2 yielding" || c.name == "mohr-coulomb yielding") {
			t.Errorf("%s: the least plastic strain goes from %g to %g", c.name, first, least())
		}
	}
}

func BenchmarkLaws(b *testing.B) {
	var f Figures
	for b.Loop() {
		f.measureLaws()
	}
	for _, c := range lawScenes {
		b.Logf("%-25s %8.2f ns %6.2f of elastic, %4.0f bytes", c.name, f.LawStepNs[c.name], f.LawStepNs[c.name]/f.LawStepNs["elastic"], f.LawBytes[c.name])
	}
}
