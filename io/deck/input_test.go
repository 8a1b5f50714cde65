package deck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"fdem/io/plan"
	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// complaint reads a deck and its model of two squares, and returns the warnings
// and the error.
func complaint(t *testing.T, text string) (warnings []string, err error) {
	t.Helper()
	d, err := Parse("full.toml", []byte(text))
	if err == nil {
		_, warnings, err = Model(d, twoSquares(t, d))
	}
	return warnings, err
}

// unmeshed makes the model of a deck without meshed bodies.
func unmeshed(name, text string) (m *model.Model, warnings []string, err error) {
	d, err := Parse(name, []byte(text))
	if err != nil {
		return nil, nil, err
	}
	return d.Build(nil)
}

// swap replaces a text that must stand in the deck.
func swap(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the deck has no %q", old)
	}
	return strings.Replace(text, old, new, 1)
}

// A number in quotes carries its unit, nothing is beyond what floating point can follow, and values
// that cannot be read are reported in words of the field.
func TestTextsAndNumbers(t *testing.T) {
	const load, thick, young = `"-2e3 * min(t/1e-4, 1)"`, `thickness = "10 mm"`, `"210 GPa"`
	for _, c := range []struct{ old, new, want string }{
		{`"10 mm"`, `"10"`, `10:13: analysis: thickness: "10" has no unit: write "10 m", or the intended unit`},
		{young, `"2.1e11"`, `21:9: material "steel": young: "2.1e11" has no unit: write "2.1e11 Pa", or the intended unit`},
		{`"0.5 m/s", 0.0`, `"0.5", 0.0`, `"0.5" has no unit: write "0.5 m/s"`},
		{`"10 rad/s"`, `"10"`, `"10" has no unit`},
		{`"1 kN", 0`, `"1", 0`, `"1" has no unit: write "1 N"`},
		{`"3 MPa"`, `"3"`, `"3" has no unit`},
		{`["50 %", 1.0]`, `["0.5", 1.0]`, `"0.5" has no unit`},
		{`"0.9 m"`, `"0.9"`, `"0.9" has no unit`},
		{`"2 mm/s"`, `"2"`, `"2" has no unit`},
		{`"0.534 um/MPa^0.653"`, `"0.534"`, `"0.534" has no unit`},
		{thick, `thickness = "10,5 mm"`, `expected a length such as "10 mm", got "10,5 mm": write a decimal point instead of a comma`},
		{thick, `thickness = "10 MM"`, `unknown unit "MM" in "MM": did you mean "Mm", "mm"?`},
		{thick, `thickness = "1 in"`, `1 in is "25.4 mm"`},
		{`"385 us"`, `"385e-6 sec"`, `unknown unit "sec" in "sec": did you mean "s"?`},
		{young, `"210 gpa"`, `did you mean "GPa"?`},
		{young, `1e400`, "21:9: 1e400 is too large a number"},
		{young, `"1e400 Pa"`, `"1e400 Pa" is too large a number`},
		{young, `1e300`, "21:9: material \"steel\": young must not exceed 1e+18 Pa, got 1e+300 Pa"},
		{young, `1e-300`, "young must not be smaller than 1e-09 Pa, got 1e-300 Pa"},
		{`"385 us"`, `1e300`, "duration must not exceed 1e+12 s"},
		{`"385 us"`, `1e-30`, "duration must not be smaller than 1e-18 s"},
		{`"7860 kg/m3"`, `1e300`, "density must not exceed"},
		{`["0.5 m/s", 0.0]`, `[1e9, 0]`, "velocity must not exceed 2.99792458e+08 m/s, got 1e+09 m/s"},
		{`friction = 0.1`, `friction = 1e300`, "friction must not exceed 1e+30, got 1e+300"},
		{`friction = 0.1`, `friction = "30 deg"`, `friction is a plain number, not an angle, got "30 deg"; the coefficient of friction is the tangent of the friction angle, 0.5774`},
		{`poisson = 0.3`, `poisson = "0.3 rad"`, `poisson is a plain number, not an angle, got "0.3 rad"`},
		{thick, `thickness = 10 mm`, `10:16: expected the end of the line, got "mm": write a number with a unit in quotes, "10 mm", and every key on a line of its own`},
		{thick, `thickness = “10 mm”`, "10:13: '“' is a typographic quotation mark: write texts in straight quotes, \"...\""},
		{thick, thick + ` // in mm`, `got '/': a comment begins with #`},
		{thick, thick + ` ; in mm`, `got ';': a comment begins with #`},
		{`plane = "strain"`, `plane = "axisymmetric"`, "9:9: analysis: plane must be one of \"stress\", \"strain\", got \"axisymmetric\"\n"},
		{`plane = "strain"`, `plane = "STRAIN"`, `did you mean "strain"?`},
		{"[analysis]", "[[analysis]]", "4:3: analysis must be written once and in single brackets, [analysis]"},
		{"[analysis]", "[Analysis]", `4:2: unknown key "Analysis": did you mean "analysis"?`},
		{`title = "Collision"`, "title = \"Collision\"\nduration = 1", `2:1: unknown key "duration": it is a key of [analysis]`},
		{`contactor = "target"`, `contactor = "A"`, `there is no group or body "A": there are "clamp", "striker", "target", "top"`},
		{load, `"1/t"`, `46:9: load "top": force: "1/t" has no finite value at t = 0 s`},
		{load, `"log(t)"`, `"log(t)" has no finite value at t = 0 s`},
		{load, `"1000/(t-0.0001925)"`, `"1000/(t-0.0001925)" has no finite value at t = 0.0001925 s`},
		{load, `"1e-3/(t-0.0001234321)"`, `"1e-3/(t-0.0001234321)" has a pole at t = 0.0001234321 s: it grows without bound there`},
		{load, `"tan(1e4*t)"`, `"tan(1e4*t)" has a pole at t = 0.0001570796`},
		{load, `"t//2"`, `"//" begins a comment, and an expression has no comments; for whole parts use floor(a/b)`},
		{load, `"sqrt(abs(t-1e-4)-1e-6)"`, `has no finite value at t = 9.9`},
		{load, `"exp(1e6*t)"`, "at most 1e30"},
		{load, `"(t > 1e-6)*5"`, `t > 1e-06 is true or false, not a number: write condition ? value : other`},
		{load, `"t > 1e-6"`, `t > 1e-06 is true or false, not a number`},
		{load, `"exp(-t/1us)"`, `"exp(-t/1us)" contains the unit us: write an expression with plain numbers in SI, t in seconds`},
		{load, `"sinus(t)"`, `there is no sinus; there are sin, cos`},
		{load, `"2*t +"`, "it ends too early"},
		{load, `"1e400*t"`, "too large a number"},
		{load, `"` + strings.Repeat("(", 5000) + `"`, "an expression may have at most 100 nested brackets"},
		{load, `"` + strings.Repeat("-", 5000) + `t"`, "an expression may have at most 100 signs in a row"},
		{load, `"` + strings.Repeat("(", 500000) + "t" + strings.Repeat(")", 500000) + `"`, "an expression of 1000001 letters is too long, at most 10000"},
		{load, `"0.5 * t]"`, "not an expression of t"},
		{`"sin(pi * t / 385e-6)"`, `"0.5"`, `schedule must be a list of [time, factor] or an expression of t, got "0.5"`},
		{`title = "Collision"`, strings.Repeat("a.", 300000) + "b = 1", "1:1: a key of 300001 names: at most 64 tables may be nested"},
		{`title = "Collision"`, "[" + strings.Repeat("a.", 300000) + "b]", "1:2: a key of 300001 names"},
		{`title = "Collision"`, "a = " + strings.Repeat("[", 500) + strings.Repeat("]", 500), "1:1: at most 64 lists and tables may be nested"},
		{`title = "Collision"`, "a = " + strings.Repeat("{a=", 500) + "1" + strings.Repeat("}", 500), "1:1: at most 64 lists and tables may be nested"},
		{"[[probe]]", strings.Repeat("[[material]]\nname = \"a\"\n", 200000) + "[[probe]]", "at most 10000 [[material]] blocks are possible, got 200001"},
	} {
		began := time.Now()
		_, err := complaint(t, swap(t, full, c.old, c.new))
		var e *tables.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "full.toml:") || !strings.Contains(err.Error()+"\n", c.want) {
			t.Errorf("%.60q for %q: got\n%v\nwant %s", c.new, c.old, err, c.want)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("%.60q took %v", c.new, took)
		}
	}
}

// Correct texts are accepted.
func TestTextsThatAreRight(t *testing.T) {
	for _, c := range [][2]string{
		{`"-9.81 m/s2"`, `"0"`}, {`"210 GPa"`, `"210000 N/mm²"`}, {`"7860 kg/m3"`, `"7.86 g/cm³"`}, {`poisson = 0.3`, `poisson = "30 %"`}, {`poisson = 0.3`, `poisson = "0.3"`},
		{`"-2e3 * min(t/1e-4, 1)", "2 N"`, `"-2e3 * t", "5"`}, {`"-2e3 * min(t/1e-4, 1)", "2 N"`, `"t > 1e-4 ? 5 : 0", 0`},
		{`title = "Collision"`, "\ufefftitle = \"Collision\""}, {"title", "# Übung\r\ntitle"},
	} {
		if _, err := complaint(t, swap(t, full, c[0], c[1])); err != nil {
			t.Errorf("%q: %v", c[1], err)
		}
	}
}

func TestEncodings(t *testing.T) {
	if _, err := Parse("d.toml", []byte("\xff\xfet\x00i\x00")); fmt.Sprint(err) != "d.toml: the file is in UTF-16: save it as UTF-8" {
		t.Errorf("UTF-16: %v", err)
	}
	_, err := Parse("d.toml", []byte("\ufeffduration = 1\n"))
	if want := `unknown key "duration": it is a key of [analysis]`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a byte-order mark: %v, want %s", err, want)
	}
}

// Values that are allowed but probably not meant give one line of warning.
func TestWarnings(t *testing.T) {
	const second = "[[contact]]\ncontactor = \"target\"\nopposite = \"all\"\nlaw = \"blasted steel\"\nnodes_per_element = 10\nfriction = 0.1\nfriction_speed = \"2 mm/s\"\ntwo_sided = true\n"
	for _, c := range []struct{ old, new, want string }{
		{second, "", `body "striker": no contact names it, so it passes through the others`},
		{second, "", `body "target": no contact names it`},
		{"[[probe]]", "[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [0, -1]\nto = [1, -1]\n[[probe]]", ""}, // "all" meets it
		{second, "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"blasted steel\"\n[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [0, -1]\nto = [1, -1]\n",
			`rigid body "floor": no contact and no interaction names it, so it passes through the others`},
		{"[[probe]]", "[[particle]]\nname = \"p\"\nradius = 0.1\ndensity = 1000\nposition = [9, 9]\n[[probe]]", `particle "p": no interaction names it, so it passes through the others`},
		{"on = \"clamp\"\ncomponents = [\"x\"]", "on = \"striker\"\ncomponents = [\"x\"]", `body "striker" has a velocity, but a fix holds all of its nodes, so it does not move`},
		{"on = \"clamp\"\ncomponents = [\"x\"]", "on = \"target\"", `the load on "top" has no effect: a fix holds all of its nodes`},
		{"[[probe]]", "[[drive]]\non = \"target\"\nvelocity = [1, 0]\n[[absorb]]\non = \"top\"\n[[probe]]", `absorb "top" absorbs nothing: all of its nodes are fixed or driven`},
		{"[[probe]]", "[[load]]\non = \"target\"\nacceleration = [\"2*x\", 0]\n[[probe]]", ""},
		{"angular_velocity = \"10 rad/s\"", "expansion_rate = \"20 1/s\"", ""},
		{"opposite = \"all\"", "opposite = \"striker\"\nself = true", `contact "target-striker": self = true has no effect: no body is on both of its sides`},
		{"friction = 0.1", "friction = 50", `contact "target-all": friction is 50, an unusually large coefficient of friction: for 50 % write 0.5 or "50 %"`},
		{`young = "210 GPa"`, "young = 210000", `material "steel": young is 210000 Pa, softer than rubber: plain numbers are in SI; for another unit write "210000 MPa"`},
		{`young = "210 GPa"`, `young = "50 kPa"`, ""}, // a unit says what is meant
		{`density = "7860 kg/m3"`, "density = 7.86", `density is 7.86 kg/m3: plain numbers are in SI; for another unit write "7.86 g/cm3"`},
		{`"-9.81 m/s2"`, "-9810", "gravity is 9810 m/s2, 1000 times that of the earth"},
		{`["0 mm", "0.9 m"]`, `["0 mm", "900 m"]`, `probe "tip": (0, 900) m lies outside of the mesh`},
		{"[[probe]]", "[[rigid]]\nname = \"clamp\"\nshape = \"box\"\nangle = 30\ncentre = [0, 9]\nwidth = 1\nheight = 1\n[[probe]]", `rigid "clamp": angle is 30 rad, more than a turn: for degrees write "30 deg"`},
		{"[[probe]]", "[[drive]]\non = \"target\"\nangle = 30\nramp = \"1 us\"\n[[probe]]", `drive of "target": angle is 30 rad, more than a turn: for degrees write "30 deg"`},
		{"[[probe]]", "[[rigid]]\nname = \"clamp\"\nshape = \"box\"\ncentre = [0, 9]\nwidth = 1\nheight = 1\n[[probe]]", `"clamp" is the name of a rigid body and of a curve of the mesh: contacts take the rigid body`},
		{`"385 us"`, `"38.5 us"`, `the mesh is 4 m by 1 m, which no wave crosses in the 3.85e-05 s of the run: if it is in millimetres write mesh_unit = "mm" at the top of the deck, otherwise "m"`},
		{`"10 mm"`, `500`, `thickness is 500 m, 125 times the size of the mesh, 4 m`},
		{`"10 mm"`, `"1 mm"`, `the mesh is 4 m by 1 m, 4e+03 times its thickness of 0.001 m`},
		{`mesh = "collision.msh"`, "mesh = \"collision.msh\"\nmesh_unit = \"um\"", "the mesh is 4e-06 m by 1e-06 m with this mesh_unit, very small: is the mesh file in metres?"},
	} {
		text := swap(t, full, c.old, c.new)
		d, err := Parse("full.toml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", c.new, err)
			continue
		}
		src := squares()
		d.ScaleMesh(src)
		built, err := mesh.Build(src, d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := Model(d, built)
		if err != nil {
			t.Errorf("%q: %v", c.new, err)
			continue
		}
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "floor") {
			t.Errorf("%q for %q: warnings\n%s\nwant %s", c.new, c.old, got, c.want)
		}
	}
}

// Times after the end of the run, and a mesh so far from the origin that its positions have few
// digits, give one line of warning.
func TestWarningsOfTimeAndPosition(t *testing.T) {
	const start = inTimeDeck + "plane = \"strain\"\n" + steelBlock + twoBodies // it ends at 2 s
	const excavation = "[[excavate]]\nin = [\"target\"]\n"
	const stress = "[[initial_stress]]\nstress = [-1e6, -2e6, 0]\n"
	for _, c := range []struct {
		deck string
		far  float64
		want string
	}{
		{start, 5e5, ""},
		{start, 3e6, "the mesh is up to 3e+06 m from the origin, 3e+06 times its shortest edge, so that positions are rounded to 4.7e-10 m"},
		{start + excavation + "ramp = 1", 0, ""},
		{start + excavation + "ramp = 1\ntime = 2", 0, `body "target" is excavated at 2 s, but the run ends at 2 s, so it stays`},
		{start + excavation + "ramp = 2\ntime = 1", 0, `body "target" is excavated slowly: 50 % of its forces on its neighbours are left when the run ends at 2 s`},
		{start + stress + "release = 2", 0, ""},
		{start + stress + "release = 4", 0, "initial stress: 50 % of the unbalanced forces are still held when the run ends at 2 s"},
		{start + "[[fracture]]\nin = [\"target\"]\nfriction = 35\n" + brittle, 0, "friction is 35, an unusually large coefficient of friction"},
	} {
		d, err := Parse("deck.toml", []byte(c.deck))
		if err != nil {
			t.Errorf("%s: %v", c.deck, err)
			continue
		}
		src := squares()
		for i := range src.X {
			src.X[i].X -= c.far
		}
		built, err := mesh.Build(src, d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := Model(d, built)
		if err != nil {
			t.Errorf("%s: %v", c.deck, err)
			continue
		}
		got := strings.Join(warnings, "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: warnings\n%s\nwant %s", c.deck, got, c.want)
		}
		for _, other := range []string{"from the origin", "excavated", "initial stress", "friction is"} {
			if strings.Contains(got, other) && !strings.Contains(c.want, other) {
				t.Errorf("%s: warnings\n%s\nwant none with %q", c.deck, got, other)
			}
		}
	}
}

// A stress that strains the material too much is refused where it stands.
func TestInitialStressTooGreat(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	for _, block := range []string{
		"[[initial_stress]]\nin = [\"striker\"]\nstress = [0, 0, 0]\n[[initial_stress]]\nin = [\"target\"]\nstress = [0, -1e12, 0]\n",
		"[[initial_stress]]\nsurface = 100\ngradient = 1e12\n",
	} {
		d, err := Parse("deck.toml", []byte(start+block))
		if err != nil {
			t.Fatal(err)
		}
		src := squares()
		built, err := mesh.Build(src, d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := Model(d, built)
		if err != nil {
			t.Fatal(err)
		}
		_, err = solver.New(m)
		lines := strings.Split(start+block, "\n")
		where := len(lines) - 1 - 1 // the stress, in the last line
		if strings.Contains(block, "surface") {
			where--
		}
		if want := fmt.Sprintf("deck.toml:%d:", where+1); err == nil || !strings.HasPrefix(d.Locate(err).Error(), want) || !strings.Contains(err.Error(), "strains the material") {
			t.Errorf("%v, want it at %s", d.Locate(err), want)
		}
	}
}

// A part of a vector may be what rounding left of 0, as in a model that a script has turned.
func TestPartsNearZero(t *testing.T) {
	for _, c := range [][2]string{
		{`["0.5 m/s", 0.0]`, "[0.5, -8.9e-32]"},
		{`gravity = [0.0,`, "gravity = [-3e-33,"},
		{"[[probe]]", "[[rigid]]\nname = \"cam\"\nshape = \"box\"\ncentre = [-8.9e-16, 1e-17]\nwidth = 1\nheight = 1\nmotion = [[0, -8.9e-16, 1e-17], [1, 1, -1e-18]]\n[[probe]]"},
		{"[[probe]]", "[[drive]]\non = \"top\"\nramp = \"1 us\"\ndisplacement = [1e-4, -1e-20]\n[[probe]]"},
		{"[[probe]]", "[[initial_stress]]\nstress = [-1e6, -2e6, 1e-10]\n[[probe]]"},
	} {
		if _, err := Parse("full.toml", []byte(swap(t, full, c[0], c[1]))); err != nil {
			t.Errorf("%q: %v", c[1], err)
		}
	}
	if _, err := plan.ParseShapes("s.toml", []byte("[[polygon]]\nname = \"a\"\ncorners = [[-1e-17, 1e-16], [1, 0], [1e-17, 1]]\nedge = 0.5\n")); err != nil {
		t.Error(err)
	}
	if _, _, err := scanBalls("b.csv", strings.NewReader("x,y,radius\n-8.9e-16,1e-17,1\n"), ball{radius: 1}); err != nil {
		t.Error(err)
	}
}

// A mesh in millimetres has the very numbers that its deck has in millimetres.
func TestMeshUnit(t *testing.T) {
	d, err := Parse("full.toml", []byte("mesh_unit = \"mm\"\n"+full))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"0.1", "3", "17.3", "-1e3"} {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		want, err := tables.ParseQuantity(text+" mm", tables.Length)
		if err != nil {
			t.Fatal(err)
		}
		src := &mesh.Source{X: []r2.Vec{{X: v, Y: -v}}}
		if d.ScaleMesh(src); src.X[0] != (r2.Vec{X: want, Y: -want}) {
			t.Errorf("%s mm becomes %v, want %v", text, src.X[0], want)
		}
	}
	for _, wrong := range []string{`"kg"`, `"inch"`, `""`, `1e-3`, `"0.001"`, `"mm2"`} {
		if _, err := Parse("full.toml", []byte("mesh_unit = "+wrong+"\n"+full)); err == nil || !strings.HasPrefix(err.Error(), "full.toml:1:13: mesh_unit must be") {
			t.Errorf("mesh_unit = %s: %v", wrong, err)
		}
	}
}

// A pair of bodies stands in one contact: forces of two would be added. One that
// names more of it has it.
func TestPairsInSeveralContacts(t *testing.T) {
	contact := func(name, a, b string, more ...string) string {
		return fmt.Sprintf("[[contact]]\nname = %q\ncontactor = %q\nopposite = %q\nlaw = \"blasted steel\"\n%s\n", name, a, b, strings.Join(more, "\n"))
	}
	begin := strings.Index(full, "[[contact]]")
	end := strings.Index(full, "[[probe]]")
	const rigids = "[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [0, -1]\nto = [1, -1]\n[[rigid]]\nname = \"wall\"\nshape = \"line\"\nfrom = [0, -1]\nto = [0, -2]\n"
	for _, c := range []struct {
		contacts, clash string // with which other, "" for none
	}{
		{contact("a", "target", "striker") + contact("b", "target", "striker"), "a"},
		{contact("a", "target", "striker") + contact("b", "striker", "target"), "a"},
		{contact("a", "target", "striker") + contact("b", "target", "all"), ""},
		{contact("a", "striker", "all") + contact("b", "target", "all"), "a"},
		{contact("a", "all", "all") + contact("b", "all", "all"), "a"},
		{contact("a", "top", "striker") + contact("b", "striker", "target"), "a"},
		{contact("a", "target", "target", "self = true") + contact("b", "all", "all", "self = true"), ""},
		{contact("a", "target", "striker"), ""},
		{contact("a", "all", "all"), ""},
		{contact("a", "top", "striker") + contact("b", "clamp", "floor"), ""},
		{contact("a", "target", "striker") + contact("b", "target", "target", "self = true"), ""},
		{contact("a", "target", "floor") + contact("b", "striker", "floor") + contact("c", "target", "striker"), ""},
		{contact("a", "target", "floor") + contact("b", "target", "wall"), ""},
	} {
		_, err := complaint(t, full[:begin]+c.contacts+rigids+full[end:])
		switch {
		case c.clash == "" && err != nil:
			t.Errorf("%s: %v", c.contacts, err)
		case c.clash != "" && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf(`contact "b": contact %q already acts between `, c.clash))):
			t.Errorf("%s: error %v", c.contacts, err)
		}
	}
}

// Names that results could not show are refused, and so is a name that stands for others.
func TestNames(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`name = "tip"`, `name = ""`, "74:8: probe 1: the name is empty"},
		{`name = "tip"`, `name = "  "`, "the name is empty"},
		{`name = "tip"`, `name = "a\nb"`, "one line without control characters"},
		{`name = "tip"`, `name = "` + strings.Repeat("x", 201) + `"`, "a name of 201 letters is too long, at most 200"},
		{`name = "striker"`, `name = ""`, "26:8: body 1: the name is empty"},
		{"[[probe]]", "[[rigid]]\nname = \"all\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 1\n[[probe]]", `"all" stands for every body`},
	} {
		if _, err := complaint(t, swap(t, full, c.old, c.new)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: error %v, want %s", c.new, err, c.want)
		}
	}
	for _, name := range []string{"Träger 1", "a.b/c", "a,b \"c\"", "日本"} {
		if _, err := complaint(t, swap(t, full, `name = "tip"`, fmt.Sprintf("name = %q", name))); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Mistakes in a file of particles are reported with their line.
func TestParticleFiles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x;y;radius\n0;0;1\n", `b.csv:1: columns must be separated by commas, got "x;y;radius"`},
		{"\xff\xfex\x00,\x00y\x00", "b.csv: the file is in UTF-16: save it as UTF-8"},
		{"X,y\n0,0\n", `b.csv:1: unknown column "X": did you mean "x"?`},
		{"x,y\n1e300,0\n", `b.csv:2: column "x": the value must not exceed 1e+12 m, got 1e+300 m`},
		{"x,y,radius\n0,0,1e-300\n", `b.csv:2: column "radius": the value must not be smaller than 1e-15 m`},
		{"x,y,vx\n0,0,1e9\n", `b.csv:2: column "vx": the value must not exceed 2.99792458e+08 m/s`},
		{"x,y\n\"0,5\",0\n", "write a decimal point instead of a comma"},
		{"x [mn],y\n0,0\n", `unknown unit "mn"`},
	} {
		if _, _, err := scanBalls("b.csv", strings.NewReader(c.text), ball{radius: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}
