package main

import (
	"fmt"
	"math"

	"fdem/materials/contact"
	"fdem/materials/contact/rough"
)

// figure is one panel: lines over a common axis.
type figure struct {
	name, title, x, y string
	lines             []line
}

// line is computed values; computed are pairs of numbers.
type line struct {
	name   string
	dashed bool
	xy     [][2]float64
}

// The paper's contact: approach 0.01 of the radius, all lengths in radii, the
// pressure over Hertz's greatest, the deformation over the approach.
const (
	approach = 0.01
	mu       = 4.0
)

// figures computes all panels of figures 3 to 8.
func figures() ([]figure, error) {
	var all []figure
	for _, make := range []func() ([]figure, error){forceOfRoughness, fields, elastoplastic, plasticPressure, plasticForce} {
		panels, err := make()
		if err != nil {
			return nil, err
		}
		all = append(all, panels...)
	}
	return all, nil
}

func spheres(sigma, mu float64, extended bool, psi, k float64) rough.Spheres {
	return rough.Spheres{Radius: 1, Modulus: 1, Sigma: sigma, Mu: mu, Extended: extended, Psi: psi, K: k}
}

func name(extended bool) string {
	if extended {
		return "E-GW"
	}
	return "GW"
}

// hertzForce is the force of smooth spheres.
func hertzForce(d float64) float64 { return 4. / 3 * max(d, 0) * math.Sqrt(max(d, 0)) }

// forceOfRoughness is figure 3: the force over that of smooth spheres.
func forceOfRoughness() ([]figure, error) {
	f := figure{name: "figure-3", title: "3: force of rough over smooth spheres, d = 0.01 R", x: "sigma / R", y: "P / P_H"}
	for _, extended := range []bool{false, true} {
		for _, mu := range []float64{1, 4, 10} {
			l := line{name: fmt.Sprintf("%s, mu = %g", name(extended), mu), dashed: !extended}
			for i := range 41 {
				sigma := max(rough.MinSigma, rough.MaxSigma*math.Pow(float64(i)/40, 2))
				c, err := spheres(sigma, mu, extended, 0, 0).Solve(approach)
				if err != nil {
					return nil, err
				}
				l.xy = append(l.xy, [2]float64{sigma, c.Force / hertzForce(approach)})
			}
			f.lines = append(f.lines, l)
		}
	}
	return []figure{f}, nil
}

// fields is figures 4 and 5: pressure and deformation over the distance from the axis,
// and their differences from Hertz's.
func fields() ([]figure, error) {
	panels := []figure{
		{name: "figure-4a", title: "4 (a): pressure, mu = 4", x: "r / a_H", y: "p / p_H(0)"},
		{name: "figure-4b", title: "4 (b): pressure less Hertz's", x: "r / a_H", y: "(p - p_H) / p_H(0)"},
		{name: "figure-5a", title: "5 (a): deformation, mu = 4", x: "r / a_H", y: "w / d"},
		{name: "figure-5b", title: "5 (b): deformation less Hertz's", x: "r / a_H", y: "(w - w_H) / d"},
	}
	smooth := [2]line{{name: "Hertz"}, {name: "Hertz"}}
	for i := range 161 {
		x := float64(i) / 80
		p, w := hertz(x)
		smooth[0].xy = append(smooth[0].xy, [2]float64{x, p})
		smooth[1].xy = append(smooth[1].xy, [2]float64{x, w})
	}
	panels[0].lines = append(panels[0].lines, smooth[0])
	panels[2].lines = append(panels[2].lines, smooth[1])
	for _, extended := range []bool{false, true} {
		for _, sigma := range []float64{1e-5, 1e-4, 1e-3} {
			c, err := spheres(sigma, mu, extended, 0, 0).Solve(approach)
			if err != nil {
				return nil, err
			}
			what := fmt.Sprintf("%s, sigma = %g", name(extended), sigma)
			var lines [4]line
			for i := range lines {
				lines[i] = line{name: what, dashed: !extended}
			}
			for i, r := range c.R {
				x := r / math.Sqrt(approach)
				smoothP, smoothW := hertz(x)
				p, w := c.Pressure[i]/(2/math.Pi*math.Sqrt(approach)), c.Bulk[i]/approach
				for k, v := range [4]float64{p, p - smoothP, w, w - smoothW} {
					lines[k].xy = append(lines[k].xy, [2]float64{x, v})
				}
			}
			for k := range panels {
				panels[k].lines = append(panels[k].lines, lines[k])
			}
		}
	}
	return panels, nil
}

// hertz is the pressure over its greatest and the deformation over the
// approach at x contact radii from the axis (eqs. (14) and (15)).
func hertz(x float64) (p, w float64) {
	if x <= 1 {
		return math.Sqrt((1 - x) * (1 + x)), 1 - 0.5*x*x
	}
	return 0, (math.Sqrt((x-1)*(x+1)) + (2-x*x)*math.Asin(1/x)) / math.Pi
}

// The spheres of figure 6: L. Vu-Quoc and X. Zhang's pair of aluminium, with a radius of
// 0.1 m, the only pair for which their law is fitted. The paper's Table 1 is not
// available; the hardness (2.8 times the yield stress) and ZMC's mean pressure at yield
// (0.4 of it) are our choice.
var aluminium = map[string]float64{
	"radius": 0.05, "modulus": 70e9 / (2 * (1 - 0.3*0.3)), "poisson": 0.3,
	"yield": 100e6, "hardness": 280e6, "k": 0.4, "c_a": 2.33e-7, "k_c": 2.69e-4,
}

// maxApproach is the approach at which figure 6 ends [m].
const maxApproach = 25e-6

// elastoplastic is figure 6: single smooth spheres that yield.
func elastoplastic() ([]figure, error) {
	f := figure{name: "figure-6", title: "6: two aluminium spheres of 0.1 m", x: "approach (um)", y: "force (N)"}
	draw := func(name string, force func(d float64) float64) {
		l := line{name: name, dashed: name == "Hertz"}
		for i := range 251 {
			d := maxApproach * float64(i) / 250
			l.xy = append(l.xy, [2]float64{1e6 * d, force(d)})
		}
		f.lines = append(f.lines, l)
	}
	for _, law := range [][2]string{{"Hertz", "hertz"}, {"CEB", "ceb"}, {"ZMC", "zmc"}, {"Thornton", "thornton"}, {"Vu-Quoc and Zhang", "vu-quoc-zhang"}} {
		model, _ := contact.Lookup(law[1])
		values := map[string]float64{}
		for _, p := range model.Parameters {
			if v, ok := aluminium[p.Name]; ok {
				values[p.Name] = v
			}
		}
		l, err := model.Build(values)
		if err != nil {
			return nil, err
		}
		draw(law[0], loading(l))
	}
	draw("MJG", mjg)
	return []figure{f}, nil
}

// loading returns the force of a law on first loading.
func loading(l contact.Law) func(d float64) float64 {
	node := contact.NewNode(l)
	return func(d float64) float64 { return node.Try(d, 1).P }
}

// mjg is the loading of the modified Jackson-Green law, H. Ghaednia, S. Pope,
// R. Jackson, D. Marghitu, Tribol. Int. 93, 2016: the law of 2005 with the
// hardness H/Y = 2.84 - 0.92 (1 - cos(pi a/R)). The form was not checked
// against the paper itself; a public program for a later paper of the same
// authors has the same. It is in this figure only, not in the library of laws.
func mjg(d float64) float64 {
	r, e, y := aluminium["radius"], aluminium["modulus"], aluminium["yield"]
	c := 1.295 * math.Exp(0.736*aluminium["poisson"])
	dc := r * math.Pow(math.Pi*c*y/(2*e), 2)
	w := d / dc
	if w <= 1.9 {
		return 4. / 3 * e * math.Sqrt(r) * d * math.Sqrt(d)
	}
	a := r * (math.Pi * c * y / (2 * e)) * math.Sqrt(w*math.Pow(w/1.9, 0.14*math.Exp(23*y/e)))
	h := 2.84 - 0.92*(1-math.Cos(math.Pi*a/r))
	fc := 4. / 3 * math.Pow(r/e, 2) * math.Pow(math.Pi*c*y/2, 3)
	return fc * (math.Exp(-math.Pow(w, 5./12)/4)*w*math.Sqrt(w) + 4*h/c*(1-math.Exp(-math.Pow(w, 5./9)/25))*w)
}

// yielding are the asperities of figures 7 and 8: psi and K of each line, in the panels
// (a), with constant K, and (b), with constant psi.
var yielding = [2][3][2]float64{
	{{2, 0.6}, {4, 0.6}, {10, 0.6}},
	{{4, 0.4}, {4, 0.6}, {4, 0.8}},
}

// yieldPanels draws the two panels of a figure: smooth spheres, rough elastic ones,
// and asperities that yield as yielding says. The panels' names and titles take a
// letter, titles what is kept too.
func yieldPanels(panel figure, smooth line, draw func(s rough.Spheres) ([][2]float64, error)) ([]figure, error) {
	var panels []figure
	for k, lines := range yielding {
		f := panel
		f.name += "ab"[k : k+1]
		f.title = fmt.Sprintf(panel.title, 'a'+k, [2]string{"K = 0.6", "psi = 4"}[k])
		f.lines = []line{smooth}
		add := func(name string, s rough.Spheres) error {
			xy, err := draw(s)
			f.lines = append(f.lines, line{name: name, xy: xy})
			return err
		}
		if err := add("E-GW", spheres(1e-3, mu, true, 0, 0)); err != nil {
			return nil, err
		}
		for _, v := range lines {
			name := [2]string{fmt.Sprintf("EP-GW, psi = %g", v[0]), fmt.Sprintf("EP-GW, K = %g", v[1])}[k]
			if err := add(name, spheres(1e-3, mu, true, v[0], v[1])); err != nil {
				return nil, err
			}
		}
		panels = append(panels, f)
	}
	return panels, nil
}

// plasticPressure is figure 7: the pressure under asperities that yield.
func plasticPressure() ([]figure, error) {
	smooth := line{name: "Hertz", dashed: true}
	for i := range 161 {
		x := float64(i) / 100
		p, _ := hertz(x)
		smooth.xy = append(smooth.xy, [2]float64{x, p})
	}
	f := figure{name: "figure-7", title: "7 (%c): pressure, %s, sigma = 0.001", x: "r / a_H", y: "p / p_H(0)"}
	return yieldPanels(f, smooth, func(s rough.Spheres) (xy [][2]float64, err error) {
		c, err := s.Solve(approach)
		if err != nil {
			return nil, err
		}
		for i, r := range c.R {
			xy = append(xy, [2]float64{r / math.Sqrt(approach), c.Pressure[i] / (2 / math.Pi * math.Sqrt(approach))})
		}
		return xy, nil
	})
}

// plasticForce is figure 8: the force over the approach.
func plasticForce() ([]figure, error) {
	smooth := line{name: "Hertz", dashed: true}
	for i := range 53 {
		d := -0.003 + 0.00025*float64(i)
		smooth.xy = append(smooth.xy, [2]float64{d, hertzForce(d)})
	}
	f := figure{name: "figure-8", title: "8 (%c): force, %s, sigma = 0.001, mu = 4", x: "d / R", y: "P / (E* R^2)"}
	return yieldPanels(f, smooth, func(s rough.Spheres) (xy [][2]float64, err error) {
		for _, at := range smooth.xy {
			c, err := s.Solve(at[0])
			if err != nil {
				return nil, err
			}
			xy = append(xy, [2]float64{at[0], c.Force})
		}
		return xy, nil
	})
}
