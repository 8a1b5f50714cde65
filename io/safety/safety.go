// Package safety is strength reduction: the factor of safety of a model is that by which all of its
// strengths can be divided before it fails (O. C. Zienkiewicz, C. Humpheson and R. W. Lewis,
// Geotechnique 25 (1975) 671-689; D. V. Griffiths and P. A. Lane, Geotechnique 49 (1999) 387-403).
// Reduction finds the strengths in a deck, and Search the factor.
package safety

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/tables"
	"fdem/materials/elementary"
)

// How a factor F reduces a strength.
type how int

const (
	divided how = iota // s/F
	tangent            // atan(tan a/F), in degrees
	capped             // a dilation angle, at most the reduced friction angle beside it, in degrees
)

// strength is one strength of a deck.
type strength struct {
	path     string // for an assignment
	how      how
	value    float64 // SI, or radians
	friction float64 // tangent of the friction angle that caps a dilation
}

// Reduction is all strengths of a deck.
type Reduction struct {
	strengths []strength
	Of        []string // what they are of: `material "soil"`
}

// reducible are the keys of each block that are divided. Those of materials and joints depend on
// their law.
var (
	soil       = []string{"cohesion", "tensile_strength"}
	divisible  = map[string][]string{"joint": {"friction", "cohesion", "tensile_strength", "dynamic_friction"}, "fracture": {"friction", "cohesion", "tensile_strength"}, "contact": {"friction"}}
	ofMaterial = map[string][]string{"mohr-coulomb": soil, "drucker-prager": soil, "j2": {"yield_stress"}}
)

// New finds the strengths of a deck, but for the blocks that are kept as they are: of a kind such as
// "contact", or with a name. It fails for a strength that no factor divides, for a name that no
// block has, and if nothing is left.
func New(name string, text []byte, kept []string) (*Reduction, error) {
	doc, err := tables.Open(name, text)
	if err != nil {
		return nil, err
	}
	r, known := &Reduction{}, []string{}
	for _, kind := range []string{"material", "joint", "fracture", "contact"} {
		blocks, _ := doc.Values[kind].([]any)
		for i, b := range blocks {
			values, ok := b.(map[string]any)
			if !ok {
				continue
			}
			called := label(values)
			if known = append(known, kind, called); slices.Contains(kept, kind) || slices.Contains(kept, called) {
				continue
			}
			if err := r.add(kind, fmt.Sprintf("%s.%d", kind, i+1), called, values); err != nil {
				return nil, fmt.Errorf("%s: %s %q: %w", name, kind, called, err)
			}
		}
	}
	for _, k := range kept {
		if !slices.Contains(known, k) {
			return nil, fmt.Errorf("--keep: the deck has no material, joint, fracture or contact %q%s", k, tables.Nearest(k, known))
		}
	}
	if len(r.strengths) == 0 {
		return nil, fmt.Errorf("%s: nothing in it can fail: there is no [[material]] with law = \"mohr-coulomb\", \"drucker-prager\" or \"j2\", and no friction or strength of a [[joint]], a [[fracture]] or a [[contact]]", name)
	}
	return r, nil
}

// label is what a block is called in a deck.
func label(values map[string]any) string {
	for _, key := range []string{"name", "on", "contactor"} {
		switch v := values[key].(type) {
		case string:
			return v
		case []any:
			return fmt.Sprint(v...)
		}
	}
	return ""
}

// add adds the strengths of one block.
func (r *Reduction) add(kind, path, called string, values map[string]any) error {
	keys, law := divisible[kind], fmt.Sprint(values["law"])
	switch {
	case kind == "material" && law == "hoek-brown", kind == "joint" && (law == "barton-bandis" || law == "rate-and-state"):
		return fmt.Errorf("law = %q has no strength that a factor divides: take a straight one (fdem law show gives the equivalent of hoek-brown), or leave it as it is by --keep", law)
	case kind == "material":
		if keys = ofMaterial[law]; law == "j2" && values["hardening_curve"] != nil {
			return fmt.Errorf("a hardening_curve cannot be divided by a factor: leave it as it is by --keep")
		}
	}
	before := len(r.strengths)
	for _, key := range keys {
		v, given, err := quantity(values, key)
		if err != nil {
			return err
		}
		if given && v > 0 {
			r.strengths = append(r.strengths, strength{path: path + "." + key, value: v})
		}
	}
	if err := r.addAngles(kind, path, values); err != nil {
		return err
	}
	if len(r.strengths) > before {
		r.Of = append(r.Of, fmt.Sprintf("%s %q", kind, called))
	}
	return nil
}

// addAngles adds the friction angle of a material, and the dilation that goes with friction.
func (r *Reduction) addAngles(kind, path string, values map[string]any) error {
	friction, key := 0.0, "dilation"
	switch kind {
	case "material":
		angle, given, err := angleOf(values, "friction_angle")
		if err != nil {
			return err
		}
		if friction, key = elementary.Tan(angle), "dilation_angle"; given && angle > 0 {
			r.strengths = append(r.strengths, strength{path: path + ".friction_angle", how: tangent, value: angle})
		}
	case "joint":
		v, _, err := quantity(values, "friction")
		if err != nil {
			return err
		}
		friction = v
	default:
		return nil
	}
	dilation, given, err := angleOf(values, key)
	switch {
	case err != nil || !given || !(dilation > 0 && friction > 0):
	case kind == "material" && math.Abs(elementary.Tan(dilation)-friction) <= 1e-12*friction: // associated, and stays so
		r.strengths = append(r.strengths, strength{path: path + "." + key, how: tangent, value: dilation})
	default:
		r.strengths = append(r.strengths, strength{path: path + "." + key, how: capped, value: dilation, friction: friction})
	}
	return err
}

// quantity returns a number of a block in SI.
func quantity(values map[string]any, key string) (v float64, given bool, err error) {
	switch x := values[key].(type) {
	case nil:
		return 0, false, nil
	case int64:
		return float64(x), true, nil
	case float64:
		return x, true, nil
	case string:
		for _, dim := range []tables.Dimension{tables.Pressure, tables.None} {
			if v, err = tables.ParseQuantity(x, dim); err == nil {
				return v, true, nil
			}
		}
	}
	return 0, false, fmt.Errorf("%s = %v is no number that a factor could divide: give a number, or leave the block as it is by --keep", key, values[key])
}

// angleOf returns an angle of a block in radians; plain numbers are degrees.
func angleOf(values map[string]any, key string) (v float64, given bool, err error) {
	v, given, err = quantity(values, key)
	if _, text := values[key].(string); !text {
		v *= math.Pi / 180
	}
	return v, given, err
}

// At returns the assignments, key=value, that divide the strengths by a factor.
func (r *Reduction) At(factor float64) (set []string) {
	for _, s := range r.strengths {
		v := s.value / factor
		switch s.how {
		case tangent:
			v = degrees(elementary.Tan(s.value) / factor)
		case capped:
			v = min(s.value*180/math.Pi, degrees(s.friction/factor))
		}
		set = append(set, s.path+"="+strconv.FormatFloat(v, 'g', -1, 64))
	}
	return set
}

// degrees returns the angle of a slope.
func degrees(slope float64) float64 { return elementary.Atan2(slope, 1) * 180 / math.Pi }

// Bracket is the greatest factor with which a model stands, and the least with which it fails.
type Bracket struct{ Stands, Fails float64 }

// Factor is the middle of the bracket.
func (b Bracket) Factor() float64 { return 0.5 * (b.Stands + b.Fails) }

// Limits are the least and the greatest factor that Search tries, and how far apart the ends of its
// bracket may be, relative to the upper one.
type Limits struct{ Least, Greatest, Tolerance float64 }

// Check returns an error if there is nothing between the limits.
func (l Limits) Check() error {
	switch {
	case !(l.Least > 0 && l.Least <= 1e6):
		return fmt.Errorf("--from must lie between 0 and a million, got %g", l.Least)
	case !(l.Greatest > l.Least && l.Greatest <= 1e6):
		return fmt.Errorf("--to must be above --from, %g, got %g", l.Least, l.Greatest)
	case !(l.Tolerance >= 1e-4 && l.Tolerance <= 0.5):
		return fmt.Errorf("--tolerance must lie between 0.0001 and 0.5, got %g", l.Tolerance)
	}
	return nil
}

// stride is the ratio of factors while one end of the bracket is not known.
const stride = 1.25

// Search brackets the factor at which a model begins to fail: in strides from 1 on, then by bisection.
// It fails if the model fails with the least factor, or stands with the greatest.
func Search(l Limits, stands func(factor float64) (bool, error)) (b Bracket, err error) {
	try := func(f float64) (bool, error) {
		ok, err := stands(f)
		if ok && err == nil {
			b.Stands = f
		} else if err == nil {
			b.Fails = f
		}
		return ok, err
	}
	for f := min(max(1, l.Least), l.Greatest); b.Stands == 0 || b.Fails == 0; {
		ok, err := try(f)
		switch {
		case err != nil:
			return b, err
		case ok && f >= l.Greatest:
			return b, fmt.Errorf("it does not fail up to the factor %g: --to takes a greater one", l.Greatest)
		case !ok && f <= l.Least:
			return b, fmt.Errorf("it fails with the factor %g already: --from takes a lower one; if it fails with any, see why", l.Least)
		case ok:
			f = min(f*stride, l.Greatest)
		default:
			f = max(f/stride, l.Least)
		}
	}
	for b.Fails-b.Stands > l.Tolerance*b.Fails {
		if _, err := try(round(0.5*(b.Stands+b.Fails), l.Tolerance)); err != nil {
			return b, err
		}
	}
	return b, nil
}

// round returns a factor with as few digits as a tolerance needs.
func round(f, tolerance float64) float64 {
	digits := 0
	for p := tolerance * f; p < 2; p *= 10 {
		digits++
	}
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', max(digits, 0), 64), 64)
	if err != nil {
		return f
	}
	return out
}

// String returns what a reduction is of.
func (r *Reduction) String() string { return strings.Join(r.Of, ", ") }
