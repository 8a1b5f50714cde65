package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fdem/io/history"
)

// Inputs with careless mistakes are refused with one clear error at its position and nothing is
// written, or they are read, with a line of warning about what is probably not meant.
func TestCarelessInputs(t *testing.T) {
	const load, rigid = "[[load]]\non = \"middle\"\nforce = [%, 0.0]\n[[probe]]", "[[rigid]]\nname = \"r\"\n%\n[[probe]]"
	with := func(frame, text string) string { return strings.Replace(frame, "%", text, 1) }
	type input struct {
		name     string
		ofMesh   bool
		old, new string
		want     string // in the message
	}
	wrong := []input{
		{"text without a unit", false, `"10 mm"`, `"10"`, `small.toml:5:13: analysis: thickness: "10" has no unit: write "10 m"`},
		{"decimal comma", false, `"10 mm"`, `"10,5 mm"`, "write a decimal point instead of a comma"},
		{"inches", false, `"10 mm"`, `"0.4 in"`, `1 in is "25.4 mm"`},
		{"unit in capitals", false, `"210 GPa"`, `"210 GPA"`, `did you mean "GPa"?`},
		{"unit outside of quotes", false, `"10 mm"`, `10 mm`, `small.toml:5:16: expected the end of the line, got "mm": write a number with a unit in quotes`},
		{"smart quotes", false, `"10 mm"`, `“10 mm”`, "write texts in straight quotes"},
		{"comment of another language", false, `"10 mm"`, `"10 mm" // thick`, "a comment begins with #"},
		{"key with a capital", false, "duration", "Duration", `small.toml:4:1: analysis: unknown key "Duration": did you mean "duration"?`},
		{"block with a capital", false, "[analysis]", "[Analysis]", `small.toml:3:2: unknown key "Analysis": did you mean "analysis"?`},
		{"block in double brackets", false, "[analysis]", "[[analysis]]", "small.toml:3:3: analysis must be written once and in single brackets, [analysis]"},
		{"key of another block", false, "[analysis]", "duration = 1\n[analysis]", `small.toml:3:1: unknown key "duration": it is a key of [analysis]`},
		{"option that is none", false, "thickness", "plane = \"axisymmetric\"\nthickness", `plane must be one of "stress", "strain", got "axisymmetric"`},
		{"modulus beyond all", false, `"210 GPa"`, "1e400", "small.toml:11:9: 1e400 is too large a number"},
		{"modulus of nothing known", false, `"210 GPa"`, "1e300", "small.toml:11:9: material \"steel\": young must not exceed 1e+18 Pa"},
		{"duration beyond all", false, `"2 us"`, "1e300", "small.toml:4:12: analysis: duration must not exceed"},
		{"duration of nothing", false, `"2 us"`, "1e-300", "small.toml:4:12: analysis: duration must not be smaller than"},
		{"faster than light", false, `["1 m/s", 0.0]`, "[1e9, 0.0]", "velocity must not exceed 2.99792458e+08 m/s"},
		{"disc of no size", false, "[[probe]]", with(rigid, "shape = \"disc\"\ncentre = [0, 1]\nradius = 1e-300"), `rigid "r": radius must not be smaller than 1e-15 m`},
		{"wall faster than light", false, "[[probe]]", with(rigid, "shape = \"disc\"\ncentre = [0, 1]\nradius = 1e-3\nmotion = [\"1e9*t\", \"1\"]"), "the speed of the motion must not exceed 2.99792458e+08 m/s"},
		{"line without end", false, "[[probe]]", with(rigid, "shape = \"line\"\nfrom = [-1e200, 0]\nto = [1e200, 0]"), "from must not exceed 1e+12 m"},
		{"step above the limit", false, "thickness", "step = 1\nthickness", "small.toml:5:8: analysis: step must not exceed the stability limit"},
		{"more steps than ever", false, `"2 us"`, "1e9", "small.toml:4:12: analysis: 1e+09 s in steps of"},
		{"mesh that is a folder", false, "title", "mesh = \"/tmp\"\ntitle", "small.toml:2:8: the mesh /tmp is a folder"},
		{"mesh that never ends", false, "title", "mesh = \"/dev/zero\"\ntitle", "the mesh /dev/zero is no file"},
		{"mesh without its ending", false, "title", "mesh = \"small\"\ntitle", "did you mean"},
		{"mesh of no length", false, "title", "mesh_unit = \"kg\"\ntitle", `small.toml:2:13: mesh_unit must be a unit of length such as "mm", got "kg"`},
		{"body that is a curve", false, `name = "left"`, `name = "clamp"`, `small.toml:15:8: body "clamp" is not in the mesh`},
		{"body misspelt", false, `name = "left"`, `name = "Left"`, `did you mean "left"?`},
		{"name of nothing", false, `name = "tip"`, `name = ""`, "probe 1: the name is empty"},
		{"name of two lines", false, `name = "tip"`, `name = "a\nb"`, "control characters"},
		{"pair in two contacts", false, "[[probe]]", "[[contact]]\nname = \"b\"\ncontactor = \"left\"\nopposite = \"right\"\nlaw = \"stiff\"\n[[probe]]", `contact "b": contact "right-left" already acts between "left" and "right"`},
		{"load infinite at the start", false, "[[probe]]", with(load, `"1/t"`), `load "middle": force: "1/t" has no finite value at t = 0 s`},
		{"load infinite within", false, "[[probe]]", with(load, `"1000/(t - 1e-6)"`), "has no finite value at t = 1e-06 s"},
		{"load of a window without a value", false, "[[probe]]", with(load, `"sqrt(abs(t - 1.3e-6) - 1e-8)"`), `load "middle": force: "sqrt(abs(t - 1.3e-6) - 1e-8)" has no finite value at t = 1.292e-06 s`},
		{"load that is true or false", false, "[[probe]]", with(load, `"(t > 1e-6)*5"`), "true or false"},
		{"load with a unit inside", false, "[[probe]]", with(load, `"exp(-t/1us)"`), "contains the unit us"},
		{"load of many brackets", false, "[[probe]]", with(load, `"`+strings.Repeat("(", 500000)+`t"`), "too long"},
		{"many blocks", false, "[[probe]]", strings.Repeat("[[material]]\n", 20000) + "[[probe]]", "at most 10000 [[material]] blocks"},
		{"deep key", false, "title", strings.Repeat("a.", 100000) + "b = 1\ntitle", "at most 64 tables may be nested"},
		{"overlap that is too deep", true, "5 1.001e-3 0 0", "5 0.001e-3 0 0", `small.toml:29:13: contact "right-left": the bodies overlap at the start: a contact node at`},
		{"solid", true, "3 2 2 1 1 1 2 3", "3 4 2 1 1 1 2 3 4", "small.msh:26: found a tetrahedron"},
		{"warped", true, "7 2.001e-3 1e-3 0", "7 2.001e-3 1e-3 5e-4", "small.msh:19: node 7 lies at z = 0.0005"},
		{"node far away", true, "2 1e-3 0 0", "2 1e300 0 0", "small.msh:14: node 2 has a coordinate of 1e+300"},
		{"format 1", true, "$MeshFormat", "$NOD", "found version 1 of the .msh format"},
	}
	for _, c := range wrong {
		t.Run(c.name, func(t *testing.T) {
			dir, path := careless(t, c.ofMesh, c.old, c.new)
			status, stdout, stderr := command("run", path)
			first, _, _ := strings.Cut(stderr, "\n")
			if status != 2 || stdout != "" || !strings.HasPrefix(first, "fdem: ") || strings.Count(stderr, "\n") > 3 {
				t.Errorf("exit status %d, not one clear error:\n%.2000s", status, stderr)
			}
			if !strings.Contains(first, c.want) {
				t.Errorf("the message does not say %q:\n%.2000s", c.want, stderr)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 2 {
				t.Errorf("the run left %d files instead of 2", len(entries))
			}
		})
	}
	reported := []input{
		{"byte-order mark", false, "\ntitle", "\ufefftitle", "^$"},
		{"mesh in millimetres", true, "e-3", "", `the mesh is 2\.001 m by 1 m, which no wave crosses in the 2e-06 s of the run: if it is in millimetres write mesh_unit = "mm"`},
		{"quadrilateral", true, "4 2 2 1 1 1 3 4\n", "", ""},
		{"triangle in no group", true, "4 2 2 1 1 1 3 4", "4 2 2 0 1 1 3 4", "1 triangles are in no physical surface and were left out"},
		{"contact forgotten", false, "[[contact]]\ncontactor = \"right\"\nopposite = \"left\"\nlaw = \"stiff\"\nfriction = 0.1\n", "", `body "left": no contact names it, so it passes through the others`},
		{"floor forgotten", false, "[[probe]]", with(rigid, "shape = \"line\"\nfrom = [0, -1]\nto = [1, -1]"), `rigid body "r": no contact and no interaction names it`},
		{"velocity of what is fixed", false, `on = "clamp"`, `on = "left"`, `body "left" has a velocity, but a fix holds all of its nodes`},
		{"friction in percent", false, "friction = 0.1", "friction = 50", `contact "right-left": friction is 50`},
		{"strength in MPa", false, "[[probe]]", "[[fracture]]\nin = [\"left\"]\ntensile_strength = 5\ncohesion = \"15 MPa\"\nenergy_tension = 20\nenergy_shear = 80\n\n[[probe]]", `fracture 1: tensile_strength is 5 Pa, very little`},
		{"energies swapped", false, "[[probe]]", "[[fracture]]\nin = [\"left\"]\ntensile_strength = \"5 MPa\"\ncohesion = \"15 MPa\"\nenergy_tension = 80\nenergy_shear = 20\n\n[[probe]]", `fracture 1: energy_shear, 20 J/m2, is less than energy_tension, 80 J/m2`},
		{"friction of a crack in degrees", false, "[[probe]]", "[[fracture]]\nin = [\"left\"]\ntensile_strength = \"5 MPa\"\ncohesion = \"15 MPa\"\nfriction = 30\nenergy_tension = 20\nenergy_shear = 80\n\n[[probe]]", `fracture 1: friction is 30, an unusually large coefficient of friction`},
		{"initial stress in MPa", false, "[[probe]]", "[[initial_stress]]\nstress = [-10, -5, 0]\n\n[[probe]]", `initial_stress 1: stress is at most 10 Pa, very little`},
		{"modulus in MPa", false, `"210 GPa"`, "210000", `material "steel": young is 210000 Pa, softer than rubber`},
		{"nodes twice", true, "4 2 2 1 1 1 3 4", "4 2 2 1 1 1 9 4", `body "left": 1 nodes are at the position of another node, the first at \(0\.001, 0\.001\) m`},
		{"needle", true, "4 0 1e-3 0", "4 0.5e-3 0.501e-3 0", "triangle 4 is nearly flat, with a quality of"},
	}
	for _, c := range reported {
		t.Run(c.name, func(t *testing.T) {
			var path string
			switch c.name {
			case "mesh in millimetres":
				dir := model(t, small, strings.ReplaceAll(smallMesh, "e-3", ""))
				path = filepath.Join(dir, "small.toml")
			case "quadrilateral":
				dir := model(t, small, strings.Replace(strings.Replace(smallMesh, "4 2 2 1 1 1 3 4\n", "", 1), "$Elements\n6\n1 1 2 3 1 6 7\n2 1 2 4 1 1 3\n3 2 2 1 1 1 2 3", "$Elements\n5\n1 1 2 3 1 6 7\n2 1 2 4 1 1 3\n3 3 2 1 1 1 2 3 4", 1))
				path, c.want = filepath.Join(dir, "small.toml"), "1 quadrilaterals were split into two triangles each"
			case "nodes twice":
				dir := model(t, small, strings.Replace(strings.Replace(smallMesh, "$Nodes\n8\n", "$Nodes\n9\n9 1e-3 1e-3 0\n", 1), c.old, c.new, 1))
				path = filepath.Join(dir, "small.toml")
			default:
				_, path = careless(t, c.ofMesh, c.old, c.new)
			}
			status, stdout, stderr := command("check", path)
			if status != 0 && c.name != "modulus in MPa" { // whose first steps fail, as expected
				t.Fatalf("exit status %d: %s", status, stderr)
			}
			warnings := strings.Join(regexp.MustCompile(`(?m)^warning: .*$`).FindAllString(stdout, -1), "\n")
			if !regexp.MustCompile(c.want).MatchString(warnings) {
				t.Errorf("warnings\n%s\nwant %s", warnings, c.want)
			}
		})
	}
}

// careless writes the small model with one thing changed.
func careless(t *testing.T, ofMesh bool, old, new string) (dir, path string) {
	t.Helper()
	files := [2]string{small, smallMesh}
	k := 0
	if ofMesh {
		k = 1
	}
	if !strings.Contains(files[k], old) {
		t.Fatalf("there is no %q", old)
	}
	files[k] = strings.Replace(files[k], old, new, 1)
	dir = model(t, files[0], files[1])
	return dir, filepath.Join(dir, "small.toml")
}

// A mesh in millimetres with mesh_unit is the same model as one in metres, but
// for the last bit of coordinates that are no binary numbers.
func TestMeshUnitRun(t *testing.T) {
	var histories [2]history.Table
	for i, files := range [][2]string{{small, smallMesh}, {"mesh_unit = \"mm\"" + small, strings.ReplaceAll(smallMesh, "e-3", "")}} {
		dir := model(t, files[0], files[1])
		succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
		out := filepath.Join(dir, "small.out")
		if status, _, stderr := command("resume", out, "-q", "--until", "3 us"); status != 0 { // the results keep the mesh as it was
			t.Fatal(stderr)
		}
		var err error
		if histories[i], err = history.Read(filepath.Join(out, "history.csv")); err != nil {
			t.Fatal(err)
		}
	}
	a, b := histories[0], histories[1]
	if len(a.Rows) != len(b.Rows) || len(a.Rows) < 15 {
		t.Fatalf("%d and %d rows", len(a.Rows), len(b.Rows))
	}
	for i, x := range a.Rows[len(a.Rows)-1] {
		if y := b.Rows[len(b.Rows)-1][i]; a.Columns[i] != "residual" && math.Abs(x-y) > 1e-6*math.Abs(x)+1e-12 {
			t.Errorf("%s ends at %g in metres and at %g in millimetres", a.Columns[i], x, y)
		}
	}
}

// The messages for mistakes in command lines say what to write instead.
func TestCarelessCommands(t *testing.T) {
	dir := model(t, small, smallMesh)
	t.Chdir(dir)
	for _, c := range []struct {
		args string
		want string
	}{
		{"run small.toml -o /dev/null/x", "the folder /dev/null/x cannot be made: /dev/null is a file"},
		{"run small.toml -o small.msh/x/y", "the folder small.msh/x/y cannot be made: small.msh is a file"},
		{"run small", "there is no small: did you mean small.toml?"},
		{"run small.TOML", "there is no small.TOML: did you mean small.toml?"},
		{"run other.toml", "there is no deck other.toml"},
		{"run small.msh --deck small.msh", "small.msh is a Gmsh mesh"},
		{"run small.msh --deck .", ". is not a file: name a deck"},
		{"run small.toml --until=", `--until: expected a time such as "5 us", got ""`},
		{"run small.toml --until 1e300", "--until: 1e+300 s in steps of"},
		{"resume small.out -o small.toml/x", "the folder small.toml/x cannot be made"},
	} {
		status, stdout, stderr := command(strings.Fields(c.args)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("fdem %s: exit status %d, %s%s, want %s", c.args, status, stdout, stderr, c.want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d files instead of 2", len(entries))
	}
}
