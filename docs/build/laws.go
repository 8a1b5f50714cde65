package main

import (
	"fmt"
	"html"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fdem/io/view"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/contact"

	"gonum.org/v1/plot/vg"
)

// Values for the curves of the catalogue: by parameter name for an impact of two steel
// spheres, and others for single laws.
var (
	sphereValues = map[string]float64{
		"radius": 10e-3, "modulus": 114e9, "yield": 500e6, "hardness": 1.4e9, "poisson": 0.3, "young": 207e9,
		"restitution": 0.7, "mass": impactMass, "stiffness": 3e7, "chi": 3e6, "eta1": 1e5, "eta2": 2e5,
		"sigma": 1.1e-6, "mu": 4, "psi": 4, "hardness_ratio": 0.6,
	}
	valuesOfLaws = map[string]map[string]float64{
		"kostek": {
			"e_p": flexibility(0.534, 0.653), "m_p": 0.653, "e_e": flexibility(1.148, 0.462), "m_e": 0.462,
			"e_l": flexibility(0.302, 0.462), "e_u": flexibility(0.523, 0.462), "m_ep": 0.462,
		},
		"linear":        {"k": 5e12},
		"rebound":       {"k": 5e12, "restitution": 0.7},
		"kelvin-voigt":  {"chi": 500},
		"walton-braun":  {"k1": 2e7, "k2": 5e7},
		"vu-quoc-zhang": {"c_a": 2.33e-7, "k_c": 2.69e-4},
	}
)

// byUnit has values for parameters of other names.
var byUnit = map[string]float64{"Pa": 1e9, "Pa/m": 1e12, "N/m": 1e7, "m": 1e-3, "1": 0.5, "kg": impactMass}

const (
	impactMass   = 0.13 // effective, of the spheres [kg]
	impactSpeed  = 0.5  // [m/s]
	surfaceDepth = 5e-6 // greatest deflection of surface laws [m]
)

// flexibility turns um/MPa^m into m/Pa^m.
func flexibility(e, m float64) float64 { return e * 1e-6 / math.Pow(1e6, m) }

// lawCatalogue returns the page of all laws of the registries, with their curves.
func (s *site) lawCatalogue() (string, error) {
	b := &catalogue{site: s}
	for _, part := range []func() error{
		func() error { return b.contactLaws(contact.Surface) }, func() error { return b.contactLaws(contact.Point) },
		b.cohesiveLaws, b.bulkLaws,
	} {
		if err := part(); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// catalogue is the page of laws during writing.
type catalogue struct {
	strings.Builder
	*site
}

// describe begins the entry of a law.
func (b *catalogue) describe(name, title, formula, source string) error {
	esc := html.EscapeString
	fmt.Fprintf(b, "<h3 id=\"law-%s\"><code>%s</code></h3>\n<div class=\"law\"><div>\n<p>%s</p>\n", name, name, esc(title))
	for line := range strings.SplitSeq(formula, "\n") {
		tex, err := texOf(line)
		if err != nil {
			return fmt.Errorf("law %s: %w", name, err)
		}
		fmt.Fprintf(b, "<div class=\"math formula\">%s</div>\n", esc(tex))
	}
	fmt.Fprintf(b, "<p class=\"source\">%s</p>\n</div>\n", esc(source))
	return nil
}

func (b *catalogue) show(picture, name string) {
	fmt.Fprintf(b, "<img src=\"pictures/%s\" alt=\"curve of %s\" loading=\"lazy\">\n", picture, name)
}

// contactLaws describes the contact laws of a kind.
func (b *catalogue) contactLaws(kind contact.Kind) error {
	if kind == contact.Surface {
		b.WriteString("<h2 id=\"surface\">Surface laws: pressure [Pa] from the deflection</h2>\n<p>For <code>[[contact]]</code>. Curves: loading, unloading to half, reloading, unloading.</p>\n")
	} else {
		fmt.Fprintf(b, "<h2 id=\"point\">Point laws: force [N] from the deflection</h2>\n<p>Between two bodies that meet at a point. Curves: the impact of two steel spheres, effective mass %g kg, at %g m/s.</p>\n", impactMass, impactSpeed)
	}
	for _, name := range contact.Names() {
		m, _ := contact.Lookup(name)
		if m.Kind != kind {
			continue
		}
		if err := b.describe(name, m.Title, m.Formula, m.Source); err != nil {
			return err
		}
		picture := "law-" + name + ".svg"
		values, law, err := sample(m)
		if err == nil {
			err = drawLaw(filepath.Join(b.out, "pictures", picture), m.Kind, law)
		}
		if err == nil {
			b.show(picture, name)
		} else {
			fmt.Fprintf(b, "<p class=\"faint\">No curve: %s; add values for it to docs/build/laws.go.</p>\n", html.EscapeString(err.Error()))
		}
		b.parameters(m.Parameters, values)
	}
	return nil
}

// parameters writes the table of a law's parameters, with the values of its curve.
func (b *catalogue) parameters(all []contact.Parameter, values map[string]float64) {
	b.WriteString("</div>\n<table>\n<tr><th>parameter</th><th>unit</th><th>range</th><th>default</th><th>in the curve</th><th>meaning</th></tr>\n")
	for _, p := range all {
		fallback := ""
		if p.Default != nil {
			fallback = fmt.Sprintf("%g", *p.Default)
		}
		used := fallback
		if v, ok := values[p.Name]; ok {
			used = fmt.Sprintf("%.4g", v)
		}
		fmt.Fprintf(b, "<tr><td><code>%s</code></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
			p.Name, unit(p.Unit), html.EscapeString(p.Range()), fallback, used, html.EscapeString(p.Doc))
	}
	b.WriteString("</table>\n")
}

func (b *catalogue) cohesiveLaws() error {
	fmt.Fprintf(b, "<h2 id=\"cohesive\">Cohesive laws: traction [Pa] from the opening of a crack</h2>\n<p>For the faces of cracks. f and G are strength and fracture energy, T the traction and D the opening. Curves: a crack with %g MPa and %g J/m2 opens, closes and opens until it is broken. The area below each curve is G.</p>\n", crackStrength/1e6, crackEnergy)
	for _, name := range cohesive.Curves() {
		c, err := cohesive.Lookup(name)
		if err != nil {
			return err
		}
		name = "cohesive-" + name
		if err := b.describe(name, c.Title, c.Formula, c.Source); err != nil {
			return err
		}
		picture := "law-" + name + ".svg"
		if err := drawCrack(filepath.Join(b.out, "pictures", picture), c); err != nil {
			return err
		}
		b.show(picture, name)
		b.WriteString("</div>\n")
	}
	return nil
}

func (b *catalogue) bulkLaws() error {
	b.WriteString("<h2 id=\"bulk\">Laws of materials: stress [Pa] from the deformation of triangles</h2>\n<p>For <code>[[material]]</code> with <code>law</code>, see <a href=\"materials.html\">Materials</a>.</p>\n")
	for _, name := range bulk.Names() {
		m, _ := bulk.Lookup(name)
		if err := b.describe(name, m.Title, m.Formula, m.Source); err != nil {
			return err
		}
		b.WriteString("</div>\n")
	}
	return nil
}

// Of the crack that the curves of cohesive laws show.
const (
	crackStrength = 5e6  // [Pa]
	crackEnergy   = 20.0 // [J/m2]
)

// drawCrack draws the traction of a point that opens, closes and opens until it is
// broken.
func drawCrack(path string, c cohesive.SofteningCurve) error {
	law, err := cohesive.New(cohesive.Parameters{
		TensileStrength: crackStrength, Cohesion: 3 * crackStrength, EnergyTension: crackEnergy, EnergyShear: crackEnergy, Mixed: 2, Softening: c.Name,
	})
	if err != nil {
		return err
	}
	// A tenth of the stiffness on a fine mesh, so that it is visible.
	point := law.Drive(cohesive.Start{Normal: crackStrength, Stiffness: 20 * crackStrength * crackStrength / crackEnergy, Energy: crackEnergy})
	end := law.Broken(&point.Point)
	var traction view.Curve
	from := 0.0
	for _, to := range []float64{0.3, 0, 1.1} {
		for i := range 200 {
			point.To(end*(from+(to-from)*float64(i)/199), 0)
			traction.X, traction.Y = append(traction.X, 1e6*point.Opening), append(traction.Y, 1e-6*point.Normal)
		}
		from = to
	}
	diagram := view.Diagram{X: "opening (µm)", Y: "MPa", Width: 9 * vg.Centimeter, Height: 6 * vg.Centimeter, Curves: []view.Curve{traction}}
	return diagram.Save(path, "svg")
}

// sample returns a law with the values of the catalogue.
func sample(m contact.Model) (map[string]float64, contact.Law, error) {
	values := map[string]float64{}
	for _, p := range m.Parameters {
		if v, ok := valuesOfLaws[m.Name][p.Name]; ok {
			values[p.Name] = v
		} else if v, ok := sphereValues[p.Name]; ok && p.Default == nil {
			values[p.Name] = v
		} else if v, ok := byUnit[p.Unit]; ok && p.Default == nil {
			values[p.Name] = min(max(v, p.Min), p.Max)
		}
	}
	law, err := m.Build(values)
	return values, law, err
}

// curve returns deflections [m] and pressures [Pa], or forces [N].
func curve(kind contact.Kind, law contact.Law) (d, p []float64) {
	n := contact.NewNode(law)
	put := func(x, v float64) float64 {
		f := n.Move(x, v).P
		d, p = append(d, x), append(p, f)
		return f
	}
	if kind == contact.Surface {
		from := 0.0
		for _, to := range []float64{surfaceDepth, 0.5 * surfaceDepth, 1.3 * surfaceDepth, 0} {
			for i := range 200 {
				put(from+(to-from)*float64(i+1)/200, 0)
			}
			from = to
		}
		return d, p
	}
	x, v := 0.0, impactSpeed
	f := put(1e-15, v)
	const dt = 2e-8
	for range 200000 {
		v -= 0.5 * dt * f / impactMass
		x += dt * v
		if x < 0 {
			break
		}
		f = put(x, v)
		v -= 0.5 * dt * f / impactMass
	}
	return d, p
}

func drawLaw(path string, kind contact.Kind, law contact.Law) error {
	d, y := curve(kind, law)
	top := slices.Max(y)
	if !(top > 0) || math.IsInf(top, 0) {
		return fmt.Errorf("the greatest value of the curve is %g", top)
	}
	name, factor := "N", 1.0
	if kind == contact.Surface {
		name, factor = "MPa", 1e-6
	}
	if kind == contact.Point && top >= 1000 {
		name, factor = "kN", 1e-3
	}
	every := max(1, len(d)/400)
	var c view.Curve
	for i := range d {
		if i%every == 0 || i == len(d)-1 {
			c.X, c.Y = append(c.X, 1e6*d[i]), append(c.Y, factor*y[i])
		}
	}
	diagram := view.Diagram{X: "deflection (µm)", Y: name, Width: 9 * vg.Centimeter, Height: 6 * vg.Centimeter, Curves: []view.Curve{c}}
	return diagram.Save(path, "svg")
}

var typography = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\^(-?[\w.]*\w)`), "<sup>$1</sup>"},
	{regexp.MustCompile(`(\b\w+)_(\w+)`), "$1<sub>$2</sub>"},
}

// unit sets a unit with exponents and indices.
func unit(text string) string {
	out := html.EscapeString(text)
	for _, t := range typography {
		out = t.from.ReplaceAllString(out, t.to)
	}
	return out
}
