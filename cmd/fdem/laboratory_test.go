package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fdem/io/results"
)

// known is a result of a laboratory test with what theory says, and by how much the
// test may be off: the friction of platens, the mesh and the speed are in it.
type known struct {
	result string
	want   float64
	within float64 // a part of it
}

// mohr is what a rock carries of the cohesion c [Pa] and the coefficient of friction mu
// under the pressure p [Pa] from the sides.
func mohr(c, mu, p float64) float64 {
	root := math.Sqrt(1+mu*mu) + mu
	return 2*c*root + p*root*root
}

// laboratory lists the tests among the templates. It is computed by who asks: each process that
// a test starts is enough it else.
var laboratory = sync.OnceValue(func() map[string][]known {
	return map[string][]known{
		"uniaxial": {{"strength", mohr(17.5e6, 0.70021, 0), 0.05}, {"modulus", 30e9, 0.01}, {"average_modulus", 30e9, 0.01}, {"secant_modulus", 30e9, 0.01}, {"poisson", 0.25, 0.05}},
		"biaxial":  {{"strength", mohr(17.5e6, 0.70021, 10e6), 0.05}, {"modulus", 30e9, 0.01}, {"average_modulus", 30e9, 0.01}, {"poisson", 0.25, 0.05}},
		// A crack's faces hold each other beyond the tensile strength; docs/fracture.md.
		"brazilian": {{"strength", 4e6, 0.1}},
		// A cohesive crack by Petersson's method, and Timoshenko's shear.
		"bending":   {{"strength", 5e6 * rupture{40, 160, 30, 0.2, 40, 40}.strength(), 0.05}, {"modulus", 30e9 / 1.165, 0.05}},
		"shear-box": {{"strength", 1e6 + 0.6*2e6, 0.02}, {"residual_strength", 0.6 * 2e6, 0.02}, {"friction", 0.6, 0.02}},
		"pull":      {{"strength", 500e6 * math.Exp(400./500-1), 0.005}, {"modulus", 210e9, 0.02}, {"poisson", 0.3, 0.02}, {"yield_stress", 401e6, 0.01}, {"strain_at_strength", math.Exp(0.2+400./210e3) - 1, 0.05}},
		// Bodies that yield: Prandtl's bearing factor; a structured mesh with 16 triangles
		// across; the slope at 1.6 times less strength than it has goes on sliding.
		"footing":         {{"bearing_factor", 2 + math.Pi, 0.02}},
		"taylor-bar":      {{"half_width", 5.494e-3, 0.015}, {"length", 29.908e-3, 0.002}},
		"split-hopkinson": {{"wave_speed", math.Sqrt(200e9 / 7850), 0.002}, {"modulus", 30e9, 0.02}},
	}
})

// fastTests are those without a check of their speed.
var fastTests = map[string]bool{"split-hopkinson": true, "taylor-bar": true, "footing": true}

// ends are the times at which some tests end: after the greatest load, when they have shown
// what they have to. With -whole they go on, until the fragments have separated.
var ends = map[string]string{"bending": "1.75 ms", "uniaxial": "2.37 ms"}

// longTests are those that take longest: they run with -whole only, which .ci/long sets.
var longTests = []string{"biaxial", "brazilian", "pull", "split-hopkinson"}

// quickTests are those that run without -all, rock that breaks and metal that yields.
var quickTests = []string{"shear-box", "taylor-bar"}

var toTheEnd = flag.Bool("whole", false, "TestLaboratory runs every test, and to its end; TestManualWorks all pages")

// Each test of the laboratory gives what theory says of its rock or metal, says that it
// was slow enough, and keeps its energy ledger.
func TestLaboratory(t *testing.T) {
	for name, numbers := range laboratory() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name != "shear-box" || slices.Contains(longTests, name) && !*toTheEnd {
				t.Skip("some seconds")
			}
			if !*toTheEnd && !slices.Contains(quickTests, name) {
				withAll(t)
			}
			dir := filepath.Join(t.TempDir(), name)
			succeed(t, "new", dir, "--template", name)
			var set []string
			if end := ends[name]; end != "" && !*toTheEnd {
				set = []string{"--set", "analysis.duration=" + end}
			}
			status, plan, stderr := command(append([]string{"check", dir, "--json"}, set...)...)
			var foretold checked
			if err := json.Unmarshal([]byte(plan), &foretold); err != nil || status != 0 || len(foretold.Warnings) > 0 {
				t.Fatalf("check: exit status %d, %v, warnings %q: %s", status, err, foretold.Warnings, stderr)
			}
			status, stdout, stderr := command(append([]string{"run", dir, "--json"}, set...)...)
			if status != 0 || strings.Contains(stderr, "warning") || strings.Contains(stderr, "quasi-static") == fastTests[name] {
				t.Fatal(status, stderr)
			}
			var sum results.Summary
			if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
				t.Fatal(err)
			}
			if sum.Energy.ResidualRelative > 0.02 {
				t.Errorf("energy residual %g", sum.Energy.ResidualRelative)
			}
			read := resultsOf(t, stdout)
			for _, k := range numbers {
				got, there := read[k.result]
				if !there || math.Abs(got/k.want-1) > k.within {
					t.Errorf("%s is %g, want %g within %g %%", k.result, got, k.want, 100*k.within)
				}
				t.Logf("%s %.5g, theory %.5g, %+.2f %%", k.result, got, k.want, 100*(got/k.want-1))
			}
			if name == "split-hopkinson" && math.Abs(read["gauge_strength"]/read["back_strength"]-1) > 0.03 {
				t.Errorf("the gauge has %g Pa, the block %g", read["gauge_strength"], read["back_strength"])
			}
			predicted(t, &foretold, filepath.Join(dir, name+".out"), &sum)
			t.Logf("%.1f s, residual %.2g", sum.WallSeconds, sum.Energy.ResidualRelative)
		})
	}
}

// predicted compares what check has predicted against what a run has taken and written: steps and
// bytes are within a factor of 2.
func predicted(t *testing.T, said *checked, out string, sum *results.Summary) {
	t.Helper()
	within := func(what string, said, came float64) {
		t.Logf("%s: %.4g predicted, %.4g came, %.2f", what, said, came, came/said)
		if !(came < 2*said && said < 2*came) {
			t.Errorf("check predicts %.4g %s, the run has %.4g", said, what, came)
		}
	}
	within("bytes", said.Output, weight(t, out))
	within("steps", said.Steps, float64(sum.Steps))
	t.Logf("seconds: %.3g predicted, %.3g came", said.Seconds, sum.WallSeconds)
}

// Soil with friction of 20 degrees carries 14.83 times its cohesion: the same footing by both
// laws, within 6 % with eight triangles under its half and no surcharge; with -whole with sixteen,
// too, which carry 4.6 % more than theory.
func TestFootingWithFriction(t *testing.T) {
	t.Parallel()
	withAll(t)
	footingWithFriction(t, "62.5 mm", "mohr-coulomb", "drucker-prager")
	if *toTheEnd {
		footingWithFriction(t, "31.25 mm", "mohr-coulomb", "drucker-prager")
	}
}

func footingWithFriction(t *testing.T, edge string, laws ...string) {
	dir := filepath.Join(t.TempDir(), "soil")
	succeed(t, "new", dir, "--template", "footing")
	deck, shapes := filepath.Join(dir, "soil.toml"), filepath.Join(dir, "soil.shapes.toml")
	text, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	if edge != "62.5 mm" {
		drawn, err := os.ReadFile(shapes)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(shapes, []byte(strings.Replace(string(drawn), "62.5 mm", edge, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		succeed(t, "mesh", shapes, "--force")
		text = []byte(strings.Replace(string(text), "0.0625/2", "0.03125/2", 1))
	}
	for _, law := range laws {
		changed := strings.NewReplacer(`yield_stress = "848.7049 Pa"`, "cohesion = \"490 Pa\"\nfriction_angle = 20\ndilation_angle = 20",
			`law = "j2"`, `law = "`+law+`"`, "poisson = 0.48", "poisson = 0.3", "-3e-3 * t", "-12e-3 * t").Replace(string(text))
		if err := os.WriteFile(deck, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		_, out, stderr := command("run", dir, "--json", "--force")
		got := resultsOf(t, out)["bearing_factor"]
		var sum results.Summary
		if err := json.Unmarshal([]byte(out), &sum); err != nil {
			t.Fatal(err, stderr)
		}
		open := sum.Energy.ResidualRelative
		t.Logf("%s, edges of %s: %.4g, %+.2f %%, energy residual %.2g", law, edge, got, 100*(got/14.8347-1), open)
		if !(open < 1e-6) {
			t.Errorf("%s: energy residual %g", law, open)
		}
		if math.Abs(got/14.8347-1) > 0.06 {
			t.Errorf("%s: bearing factor %g, want 14.83: %s", law, got, stderr)
		}
	}
}

// A wide strip of steel carries Considere's load, necks, and breaks in its neck, from the axis
// outwards. Its ledger closes all the time.
func TestSteelNecksAndBreaks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/neck")); err != nil {
		t.Fatal(err)
	}
	succeed(t, "mesh", filepath.Join(dir, "neck.shapes.toml"))
	_, out, stderr := command("run", filepath.Join(dir, "neck.toml"), "--json")
	var sum results.Summary
	if err := json.Unmarshal([]byte(out), &sum); err != nil {
		t.Fatal(err, stderr)
	}
	slow := resultsOf(t, out)["residual_at_crack"] // then it breaks suddenly: 2e-3 of the energy that the crack takes
	t.Logf("energy residual %.2g until it breaks, %.2g at the end", slow, sum.Energy.ResidualRelative)
	if !(math.Abs(slow) < 1e-8) || !(sum.Energy.ResidualRelative < 1e-5) || sum.Cracks.Fragments != 2 {
		t.Errorf("energy residual %g until it breaks, %g at the end, %d fragments", slow, sum.Energy.ResidualRelative, sum.Cracks.Fragments)
	}
	wide := 2 / math.Sqrt(3) // of the strain across nothing comes
	most := 0.0
	for e := 0.0; e < 0.3; e += 1e-5 {
		a := wide * e
		most = max(most, wide*(400e6+20e6*a+150e6*(1-math.Exp(-15*a)))*math.Exp(-e))
	}
	read := resultsOf(t, out)
	t.Logf("strength %.5g Pa, theory %.5g; strain %.4g there and %.4g as the first edge opens; narrower by %.3g m", read["strength"], most, read["strain_at_strength"], read["strain_at_crack"], 2*read["narrowing"])
	if math.Abs(read["strength"]/most-1) > 0.01 {
		t.Errorf("strength %g Pa, want %g", read["strength"], most)
	}
	if !(read["strain_at_crack"] > 1.1*read["strain_at_strength"] && read["narrowing"] > 1e-3) {
		t.Errorf("the strip breaks before it has a neck: %v", read)
	}
	rows, err := os.ReadFile(filepath.Join(dir, "neck.out", "insertions.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var at, x, y float64
	if _, err := fmt.Sscanf(strings.Split(string(rows), "\n")[1], "%g,%g,%g", &at, &x, &y); err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(x) < 3e-3 && math.Abs(y) < 1e-3) {
		t.Errorf("the first edge opens at (%g, %g) m", x, y)
	}
}

// A notched bar of steel that a hammer strikes yields through its ligament. With a notch of a fifth
// of its height it carries 1.218 times the load of an even bar where that stands in one point
// (TestNotchedBarInBending names the sources), and more under a nose of some width: flat ones of 1,
// 2, 4 mm carry 1.32, 1.38, 1.47 in a static analysis with edges of 0.25 mm, which goes to 1.23 at
// none when half an edge beside the ligament counts. So a round hammer, without cracks and
// hardening, meets 1.33 with edges of 0.6 mm and 1.31 with 0.32 mm; hardening adds 0.04 to 0.08
// meanwhile. Then a crack runs from the notch by tension. It does so before that where the
// strength is less, and takes a fraction of the energy: the transition from tough to brittle.
func TestCharpy(t *testing.T) {
	t.Parallel()
	withAll(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/charpy")); err != nil {
		t.Fatal(err)
	}
	deck := filepath.Join(dir, "charpy.toml")
	succeed(t, "mesh", filepath.Join(dir, "charpy.shapes.toml"))
	text, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]map[string]float64{}
	for _, strength := range []string{"850 MPa", "650 MPa"} {
		if err := os.WriteFile(deck, []byte(strings.ReplaceAll(string(text), "850 MPa", strength)), 0o644); err != nil {
			t.Fatal(err)
		}
		_, out, stderr := command("run", deck, "--json", "--force")
		var sum results.Summary
		if err := json.Unmarshal([]byte(out), &sum); err != nil {
			t.Fatal(err, stderr)
		}
		of := resultsOf(t, out)
		read[strength] = of
		t.Logf("%s: %.3g of the load of an even bar, %.3g at the end, absorbs %.3g J; cracks of %.3g mm, residual %.2g", strength, of["constraint"], of["load_at_end"], of["absorbed"], 1e3*sum.Cracks.Broken, sum.Energy.ResidualRelative)
		if !(sum.Energy.ResidualRelative < 1e-6) || !(sum.Cracks.Broken > 3e-3) || sum.Cracks.Shear > 0 {
			t.Errorf("%s: residual %g, cracks %+v", strength, sum.Energy.ResidualRelative, sum.Cracks)
		}
	}
	tough, brittle := read["850 MPa"], read["650 MPa"]
	if !(tough["constraint"] > 1.15 && tough["constraint"] < 1.36) || !(tough["load_at_end"] < 0.8*tough["constraint"]) {
		t.Errorf("the tough bar carries %g, and %g at the end", tough["constraint"], tough["load_at_end"])
	}
	if !(brittle["constraint"] < 0.5*tough["constraint"]) || !(brittle["absorbed"] < 0.5*tough["absorbed"]) {
		t.Errorf("the brittle bar carries %g and absorbs %g J, the tough one %g and %g J", brittle["constraint"], brittle["absorbed"], tough["constraint"], tough["absorbed"])
	}
}

// A slope stands with 1/1.34 of its strength and slides with 1/1.43. Rubber that is compressed to
// half its height has stiffened.
func TestSlopeAndBumper(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	dir := filepath.Join(t.TempDir(), "slope")
	succeed(t, "new", dir, "--template", "slope")
	speed := map[float64]float64{}
	for _, factor := range []float64{1.34, 1.43} {
		angle := math.Atan(math.Tan(math.Pi/9)/factor) * 180 / math.Pi
		_, out, _ := command("run", dir, "--json", "--force", "--set", fmt.Sprintf("material.soil.cohesion=%g Pa", 10e3/factor), "--set", fmt.Sprintf("material.soil.friction_angle=%g", angle))
		speed[factor] = resultsOf(t, out)["speed"]
		var sum results.Summary
		if err := json.Unmarshal([]byte(out), &sum); err != nil {
			t.Fatal(err)
		}
		if !(sum.Energy.ResidualRelative < 1e-6) {
			t.Errorf("1/%g of the strength: energy residual %g", factor, sum.Energy.ResidualRelative)
		}
	}
	t.Logf("the crest goes down at %.3g and %.3g m/s", speed[1.34], speed[1.43])
	if !(math.Abs(speed[1.34]) < 1e-5 && speed[1.43] > 1e-3) {
		t.Errorf("the crest goes down at %g m/s with 1/1.34 of the strength, at %g with 1/1.43", speed[1.34], speed[1.43])
	}
	dir = filepath.Join(t.TempDir(), "bumper")
	succeed(t, "new", dir, "--template", "bumper")
	_, out, _ := command("run", dir, "--json")
	read := resultsOf(t, out)
	if tenth, half := read["pressure_at_tenth"], read["pressure_at_half"]; !(tenth > 0.8e6 && half > 10*tenth) {
		t.Errorf("rubber carries %g Pa squeezed by a tenth and %g Pa by half", tenth, half)
	}
	var sum results.Summary
	if err := json.Unmarshal([]byte(out), &sum); err != nil {
		t.Fatal(err)
	}
	if !(sum.Energy.ResidualRelative < 1e-6) {
		t.Errorf("energy residual %g", sum.Energy.ResidualRelative)
	}
}

// resultsOf returns the results of a summary.
func resultsOf(t *testing.T, summary string) map[string]float64 {
	t.Helper()
	var sum struct{ Results map[string]float64 }
	if err := json.Unmarshal([]byte(summary), &sum); err != nil {
		t.Fatal(err)
	}
	return sum.Results
}
