package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// Softening is the loss of strength by plastic flow, for a law with cohesion and tensile
// strength. Both are multiplied by s, a function of the softening strain k, which is the sum of
// the greatest principal plastic strains. Strain localises in one row of triangles. So s
// depends on k times the width h of that row (crack band; Z. P. Bazant and B. H. Oh, 1983), and
// the energy that a band takes does not depend on the mesh. For triangles h is the root of
// twice their area, the edge of the square of two of them (J. G. Rots, Computational Modeling
// of Concrete Fracture, 1988).
//
//	s = exp(-k h T/G_f), or the curve's at k h/size
type Softening struct {
	Energy     float64      // G_f [J/m2], 0 for none
	Tensile    float64      // T [Pa]
	young      float64      // [Pa]
	associated bool         // the flow is along the normal of the yield surface
	Curve      [][2]float64 // softening strain, factor; linear between the points, constant after the last
	Band       float64      // size of the triangles for which the curve holds [m]
}

var (
	softeningParameters = parameter.List{
		{Name: "softening.energy", Doc: "G_f: fracture energy in tension; cohesion falls by the same factor as the tensile strength", Unit: "J/m2", OpenMin: true, Max: math.Inf(1), Else: "without"},
		{Name: "softening.size", Doc: "h_0: width of the band for which the curve was measured; in a triangle the strain is multiplied by the root of twice its area over this width", Unit: "m", OpenMin: true, Max: math.Inf(1), Else: "without"},
	}
	softeningGroup = map[string]string{"softening": "loss of strength with plastic strain: a fracture energy, or a curve for a band of a given size"}
	softeningCurve = Curve{Name: "softening.curve", Doc: "factor of the strength over the softening strain, [[0, 1], [strain, factor], ...], linear between the points, constant after the last", X: "1", Y: "1"}
)

func newSoftening(young, tension float64, c Constants) (s Softening, err error) {
	s = Softening{Energy: c.Value["softening.energy"], Tensile: tension, young: young, Curve: c.Curve[softeningCurve.Name], Band: c.Value["softening.size"]}
	switch {
	case s.Curve != nil && s.Energy > 0:
		return s, errors.New("softening needs either energy or curve, not both")
	case (s.Curve != nil) != (s.Band > 0):
		return s, errors.New("softening by a curve needs curve and size")
	case s.Energy > 0 && !(tension > 0 && !math.IsInf(tension, 1)):
		return s, errors.New("softening by energy needs a tensile_strength above 0")
	}
	return s, s.check()
}

func (s *Softening) check() error {
	t := s.Curve
	switch {
	case t == nil:
		return nil
	case len(t) < 2:
		return errors.New("softening curve needs at least two points")
	case t[0] != [2]float64{0, 1}:
		return fmt.Errorf("softening curve must begin at [0, 1], got [%g, %g]", t[0][0], t[0][1])
	}
	for i := 1; i < len(t); i++ {
		if !(t[i][0] > t[i-1][0]) {
			return fmt.Errorf("softening curve: strains must grow, got %g after %g", t[i][0], t[i-1][0])
		}
		if !(t[i][1] >= 0 && t[i][1] <= t[i-1][1]) {
			return fmt.Errorf("softening curve: factors must fall and not be negative, got %g after %g", t[i][1], t[i-1][1])
		}
	}
	return nil
}

// Softens tells whether the law softens.
func (s *Softening) Softens() bool { return s.Energy > 0 || s.Curve != nil }

func (s *Softening) memory() []Value {
	if s.Softens() {
		return memoryOfSoftening
	}
	return memoryOfFriction
}

// bandWidth is the width of a band of triangles over the root of their area.
const bandWidth = math.Sqrt2

// begin returns a triangle's softening strain, and the factor on it that depends on the
// triangle's size.
func (s *Softening) begin(in *Input, i int) (opened, rate float64) {
	switch {
	case s.Energy > 0:
		return in.Mem[openedAt][i], float64(bandWidth*in.Size[i]) * s.Tensile / s.Energy
	case s.Curve != nil:
		return in.Mem[openedAt][i], float64(bandWidth*in.Size[i]) / s.Band
	}
	return 0, 0
}

func (s *Softening) end(out *Output, i int, opened float64) {
	if s.Softens() {
		out.Mem[openedAt][i] = opened
	}
}

// factor returns s at a strain times its size's factor.
func (s *Softening) factor(k float64) float64 {
	switch {
	case s.Energy > 0:
		return elementary.Exp(-k)
	case s.Curve != nil:
		f, _ := s.segment(k)
		return f
	}
	return 1
}

// slope returns ds/dk.
func (s *Softening) slope(k float64) float64 {
	switch {
	case s.Energy > 0:
		return -elementary.Exp(-k)
	case s.Curve != nil:
		_, d := s.segment(k)
		return d
	}
	return 0
}

func (s *Softening) segment(k float64) (factor, slope float64) {
	for i := 1; i < len(s.Curve); i++ {
		p, q := s.Curve[i-1], s.Curve[i]
		if k < q[0] {
			slope = (q[1] - p[1]) / (q[0] - p[0])
			return p[1] + float64(slope*(k-p[0])), slope
		}
	}
	return s.Curve[len(s.Curve)-1][1], 0
}

// opens returns the growth x of the softening strain by flow, from x = most - s less, with s
// after the growth.
func (s *Softening) opens(most, less, opened, rate float64) float64 {
	if most <= float64(less*s.factor(opened*rate)) {
		return 0 // within
	}
	return root(0, most, 0, func(x float64) (r, d float64) {
		k := float64((opened + x) * rate)
		return most - float64(less*s.factor(k)) - x, -1 - float64(less*rate*s.slope(k))
	})
}

// Fits returns an error if triangles of a size [m] are too large for the energy, so that
// their stress would have to fall at once.
func (s *Softening) Fits(size float64) error {
	fastest, what := 0.0, ""
	size *= bandWidth
	switch {
	case s.Energy > 0:
		fastest, what = float64(size*s.Tensile/s.Energy)*s.Tensile, "softening.energy"
	case s.Curve != nil:
		for i := 1; i < len(s.Curve); i++ {
			p, q := s.Curve[i-1], s.Curve[i]
			fastest = max(fastest, (p[1]-q[1])/(q[0]-p[0]))
		}
		if math.IsInf(s.Tensile, 1) {
			return nil
		}
		fastest, what = float64(fastest*size/s.Band)*s.Tensile, "softening.curve"
	}
	if fastest < s.young {
		return nil
	}
	return fmt.Errorf("%s: triangles that form a band %.3g m wide lose tension faster than they can unload, and at most %.3g m is possible: take a finer mesh, a greater energy or a lower tensile_strength", what, size, float64(size*s.young)/fastest)
}
