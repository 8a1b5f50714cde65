package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fdem/io/history"
)

// small is a deck of two blocks a micrometre apart; run on smallMesh.
const small = `
title = "two blocks"
[analysis]
duration = "2 us"
thickness = "10 mm"
[output]
history_every = "0.2 us"
fields_every = "1 us"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[body]]
name = "left"
material = "steel"
velocity = ["1 m/s", 0.0]
[[body]]
name = "right"
material = "steel"
[[fix]]
on = "clamp"
components = ["x", "y"]
[[law]]
name = "stiff"
model = "linear"
k = "1e14 Pa/m"
[[contact]]
contactor = "right"
opposite = "left"
law = "stiff"
friction = 0.1
[[probe]]
name = "tip"
node_near = ["1 mm", "1 mm"]
`

// smallMesh is two squares of 1 mm, two triangles each, and a curve named
// clamp at the far right.
const smallMesh = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
1 3 "clamp"
1 4 "middle"
2 1 "left"
2 2 "right"
$EndPhysicalNames
$Nodes
8
1 0 0 0
2 1e-3 0 0
3 1e-3 1e-3 0
4 0 1e-3 0
5 1.001e-3 0 0
6 2.001e-3 0 0
7 2.001e-3 1e-3 0
8 1.001e-3 1e-3 0
$EndNodes
$Elements
6
1 1 2 3 1 6 7
2 1 2 4 1 1 3
3 2 2 1 1 1 2 3
4 2 2 1 1 1 3 4
5 2 2 2 2 5 6 7
6 2 2 2 2 5 7 8
$EndElements
`

// command runs a command line and returns its exit status and output.
func command(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = execute(args, &out, &err)
	return status, out.String(), err.String()
}

// succeed runs the program as a shell would, and ends the test where it fails.
func succeed(t *testing.T, args ...string) {
	t.Helper()
	if status, _, stderr := command(args...); status != 0 {
		t.Fatalf("%s: exit status %d: %s", args, status, stderr)
	}
}

// rehearseLess makes check predict from a tenth of a second at most, in a test beside which no
// other runs.
func rehearseLess(t *testing.T) {
	least, most := rehearsedLeast, maxRehearsal
	rehearsedLeast, maxRehearsal = 0.05, 0.1
	t.Cleanup(func() { rehearsedLeast, maxRehearsal = least, most })
}

// model writes a deck and a mesh into a new folder.
func model(t *testing.T, deck, mesh string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"small.toml": deck, "small.msh": mesh} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRunWritesItsResults(t *testing.T) {
	dir := model(t, small, smallMesh)
	path := filepath.Join(dir, "small.msh")
	status, stdout, stderr := command("run", path, "--json")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	var sum map[string]any
	if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
		t.Fatalf("standard output is not one JSON object: %v\n%s", err, stdout)
	}
	if sum["status"] != "done" || sum["title"] != "two blocks" || sum["time"] != 2e-6 {
		t.Errorf("summary says %v, %v, %v", sum["status"], sum["title"], sum["time"])
	}
	h, err := history.Read(filepath.Join(dir, "small.out", "history.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Rows) != 11 {
		t.Errorf("%d history rows, want 11", len(h.Rows))
	}
	want := "time kinetic strain contact_stored contact_dissipated friction_dissipated damping_dissipated step_energy external_work residual " +
		"left.vx left.vy left.omega right.vx right.vy right.omega right-left.normal right-left.tangential right-left.fx right-left.fy tip.x tip.y clamp.fx clamp.fy clamp.moment right-left.moment"
	if got := strings.Join(h.Columns, " "); got != want {
		t.Errorf("columns are\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"summary.json", "log.txt", "fields.pvd", "fields/000002.vtu", "contact.pvd", "contact/000002.vtp"} {
		if _, err := os.Stat(filepath.Join(dir, "small.out", name)); err != nil {
			t.Error(err)
		}
	}
	if status, _, stderr = command("run", path); status != 2 || !strings.Contains(stderr, "--force") {
		t.Errorf("a second run: exit status %d, %s", status, stderr)
	}
	if status, _, stderr = command("run", path, "--force", "--quiet", "--until", "1 us"); status != 0 || stderr != "" {
		t.Errorf("a forced run: exit status %d, %s", status, stderr)
	}
	if status, stdout, stderr = command("info", filepath.Join(dir, "small.out")); status != 0 || !strings.Contains(stdout, "to 1e-06 s") {
		t.Errorf("info: exit status %d, %s%s", status, stdout, stderr)
	}
}

// --quiet shows warnings, and nothing else.
func TestQuietWarns(t *testing.T) {
	dir := model(t, strings.Replace(small, `"10 mm"`, "10", 1), smallMesh)
	status, _, stderr := command("run", filepath.Join(dir, "small.toml"), "--quiet")
	if status != 0 || !strings.HasPrefix(stderr, "warning: thickness is 10 m, ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit status %d, %s", status, stderr)
	}
}

func TestCheckTellsAndWritesNothing(t *testing.T) {
	dir := model(t, small, smallMesh)
	status, stdout, stderr := command("check", filepath.Join(dir, "small.toml"))
	if status != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{`body "left": 2 triangles`, `not used in the mesh: "middle"`, "mesh quality", "step "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("check does not say %q:\n%s", want, stdout)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("check left %d files instead of 2", len(entries))
	}
}

// Check reports what makes a model slow or wrong although it runs: damping that shortens the step,
// triangles that are too stiff in bending, bodies that are free to slide. The log reports the
// first, too. A good model has no such line.
func TestCheckGuides(t *testing.T) {
	t.Parallel()
	const deck = `mesh = "strip.msh"
[analysis]
type = "dynamic"
duration = "1 us"
thickness = "10 mm"
damping = { stiffness = "STIFFNESS" }
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[body]]
name = "strip"
material = "steel"
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [1, 0]
[[law]]
name = "penalty"
model = "linear"
k = 1e14
[[contact]]
contactor = "strip"
opposite = "floor"
law = "penalty"
`
	static := strings.NewReplacer("dynamic", "static", "duration = \"1 us\"\n", "", "damping = { stiffness = \"STIFFNESS\" }\n", "").Replace(deck)
	for _, c := range []struct {
		name, deck, damping, high string
		says                      [3]bool // of damping, bending, loose bodies
	}{
		{"nothing", deck, "0 s", "10 mm", [3]bool{}},
		{"little damping", deck, "1 ns", "10 mm", [3]bool{}},
		{"much damping", deck, "1 us", "10 mm", [3]bool{true, false, false}},
		{"a thin strip", deck, "0 s", "2 mm", [3]bool{false, true, false}},
		{"a frictionless block", static, "", "10 mm", [3]bool{false, false, true}},
		{"a block that is held", static + "[[fix]]\non = \"left\"\n", "", "10 mm", [3]bool{}},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"strip.shapes.toml": "[[rectangle]]\nname = \"strip\"\nfrom = [0, 0]\nto = [\"20 mm\", \"" + c.high + "\"]\nedge = \"1 mm\"\nleft = \"left\"\n",
			"strip.toml":        strings.Replace(c.deck, "STIFFNESS", c.damping, 1),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		succeed(t, "mesh", filepath.Join(dir, "strip.shapes.toml"))
		status, stdout, stderr := command("check", filepath.Join(dir, "strip.toml"))
		if status != 0 {
			t.Fatalf("%s: %s", c.name, stderr)
		}
		for i, line := range []string{"damping makes the step ", `body "strip" has about 2 triangles across`, `supports leave free as a whole: body "strip" (along x, along y, to turn);`} {
			if strings.Contains(stdout, line) != c.says[i] {
				t.Errorf("%s: %q is expected %v in\n%s", c.name, line, c.says[i], stdout)
			}
		}
		if c.damping == "" {
			continue
		}
		_, _, stderr = command("run", filepath.Join(dir, "strip.toml"))
		if strings.Contains(stderr, "damping makes the step ") != c.says[0] {
			t.Errorf("%s: the run says\n%s", c.name, stderr)
		}
	}
}

// The mesh that a deck names is seen from the deck's folder, or from the root
// where its path is absolute.
func TestMeshOfTheDeck(t *testing.T) {
	dir := model(t, small, smallMesh)
	for _, mesh := range []string{"small.msh", filepath.Join("..", filepath.Base(dir), "small.msh"), filepath.Join(dir, "small.msh")} {
		other := filepath.Join(dir, "other.toml")
		if err := os.WriteFile(other, []byte("mesh = "+strconv.Quote(mesh)+"\n"+small), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := command("check", other); status != 0 {
			t.Errorf("mesh %s: %s", mesh, stderr)
		}
	}
}

// VTK's own readers open the results and find the arrays by name.
func TestVTKOpensTheResults(t *testing.T) {
	const python = "/usr/bin/python3" // where Debian's python3-vtk9 belongs
	if err := exec.Command(python, "-c", "import vtkmodules.vtkIOXML").Run(); err != nil {
		t.Skip("VTK's Python readers are not installed (Debian: python3-vtk9)")
	}
	dir := model(t, small, smallMesh)
	succeed(t, "run", filepath.Join(dir, "small.msh"))
	out := filepath.Join(dir, "small.out")
	text, err := exec.Command(python, "../../io/vtk/testdata/read.py",
		filepath.Join(out, "fields.pvd"), filepath.Join(out, "contact.pvd"),
		filepath.Join(out, "fields", "000002.vtu"), filepath.Join(out, "contact", "000002.vtp")).Output()
	if err != nil {
		t.Fatalf("VTK's readers: %v", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for i, folder := range []string{"fields", "contact"} {
		var frames [][2]any
		if err := json.Unmarshal(all[i], &frames); err != nil {
			t.Fatal(err)
		}
		if len(frames) != 3 || frames[2][0] != 2e-6 || !strings.HasPrefix(frames[2][1].(string), folder+"/000002.") {
			t.Errorf("the frames of %s are %v", folder, frames)
		}
		var data map[string]json.RawMessage
		if err := json.Unmarshal(all[2+i], &data); err != nil {
			t.Fatal(err)
		}
		for kind, want := range []map[string]map[string]int{
			{
				"point_data": {"displacement": 24, "velocity": 24, "contact_force": 24, "node_id": 8},
				"cell_data":  {"stress": 24, "von_mises": 4, "body_id": 4, "material_id": 4},
				"field_data": {"TimeValue": 1},
			},
			{
				"point_data": {"pressure": 80, "deflection": 80, "friction": 80, "peak_pressure": 80, "plastic_deflection": 80, "normal": 240},
				"field_data": {"TimeValue": 1},
			},
		}[i] {
			var arrays map[string][]float64
			if err := json.Unmarshal(data[kind], &arrays); err != nil {
				t.Fatal(err)
			}
			for name, n := range want {
				if len(arrays[name]) != n {
					t.Errorf("%s: %s %q has %d values, want %d", folder, kind, name, len(arrays[name]), n)
				}
			}
			if kind == "field_data" && arrays["TimeValue"][0] != 2e-6 {
				t.Errorf("%s: TimeValue is %v", folder, arrays["TimeValue"])
			}
		}
	}
}

// Every wrong input gives one clear error and exit status 2, and leaves no
// results folder.
func TestWrongInputs(t *testing.T) {
	deck := func(old, new string) [2]string {
		if !strings.Contains(small, old) {
			t.Fatalf("the deck has no %q", old)
		}
		return [2]string{strings.Replace(small, old, new, 1), smallMesh}
	}
	mesh := func(old, new string) [2]string {
		if !strings.Contains(smallMesh, old) {
			t.Fatalf("the mesh has no %q", old)
		}
		return [2]string{small, strings.Replace(smallMesh, old, new, 1)}
	}
	for _, c := range []struct {
		name  string
		files [2]string
		want  []string // parts of the message
	}{
		{"missing mesh", deck("title", "mesh = \"other.msh\"\ntitle"), []string{"other.msh", "there is no mesh"}},
		{"misspelt key", deck("poisson", "poison"), []string{"small.toml:", `unknown key "poison": did you mean "poisson"?`}},
		{"unknown key", deck("thickness", "thicknes"), []string{"small.toml:5:1", `unknown key "thicknes"`, `did you mean "thickness"`}},
		{"wrong unit", deck(`"210 GPa"`, `"210 kg"`), []string{"small.toml:11:9", `material "steel"`, "expected a pressure", "210 kg"}},
		{"unknown unit", deck(`"2 us"`, `"2 parsec"`), []string{"small.toml:4:12", `unknown unit "parsec"`}},
		{"negative density", deck(`"7860 kg/m3"`, `"-7860 kg/m3"`), []string{"small.toml:13:11", `material "steel": density must be positive, got -7860 kg/m3`}},
		{"Poisson's ratio", deck("poisson = 0.3", "poisson = 0.5"), []string{"small.toml:12:", "poisson must lie between -1 and 0.5", "0.5"}},
		{"body not in the mesh", deck(`name = "left"`, `name = "lift"`), []string{`"lift"`, "not in the mesh", `"left"`}},
		{"group not in the mesh", deck(`on = "clamp"`, `on = "clmap"`), []string{"small.toml:22:6", `no group "clmap"`, `did you mean "clamp"`}},
		{"unknown material", deck(`material = "steel"`, `material = "steal"`), []string{"small.toml:16:12", `no material "steal"`}},
		{"driven and fixed", deck("[[law]]", "[[drive]]\non = \"right\"\nvelocity = [1, 0]\n[[law]]"), []string{"small.toml:25:6", "fixed in x", "leave x out of the components"}},
		{"step above the limit", deck("duration", "step = \"1 us\"\nduration"), []string{"stability limit", "1e-06 s", "which triangle"}},
		{"step above the limit of damping", deck("duration", "step = \"1 ns\"\ndamping = { stiffness = \"1 ms\" }\nduration"), []string{"stability limit", "which the stiffness damping of 0.001 s asks for"}},
		{"step above the limit of a spring", [2]string{strings.NewReplacer("duration", "step = \"1 ns\"\nduration", "[[law]]", "[[spring]]\nname = \"bed\"\non = \"left\"\nstiffness = 1e16\n[[law]]").Replace(small), smallMesh}, []string{"stability limit", `which spring "bed" asks for`}},
		{"empty contact", deck(`contactor = "right"`, `contactor = "middle"`), []string{"small.toml:29:13", "no edge on the boundary"}},
		{"contact with itself", deck(`opposite = "left"`, `opposite = "right"`), []string{"same body"}},
		{"law parameter out of range", deck(`k = "1e14 Pa/m"`, `k = "-1 Pa/m"`), []string{"small.toml:27:5", "k must be greater than 0", "-1"}},
		{"law parameter missing", deck("model = \"linear\"\nk = \"1e14 Pa/m\"", "model = \"volumetric\"\nk_f = \"1 MPa\""), []string{`needs the parameter "h_f"`}},
		{"unknown law model", deck(`model = "linear"`, `model = "liner"`), []string{`no contact law "liner"`, `did you mean "linear"`}},
		{"unknown law", deck(`law = "stiff"`, `law = "soft"`), []string{`no [[law]] named "soft"`}},
		{"negative friction", deck("friction = 0.1", "friction = -0.1"), []string{"friction must not be negative"}},
		{"no duration", deck(`duration = "2 us"`, ""), []string{"duration is missing"}},
		{"broken TOML", deck("[[law]]", "[[law"), []string{"small.toml:24:"}},
		{"sphere in a body", deck("[[law]]", "[[particle]]\nname = \"ball\"\nradius = \"0.1 mm\"\nposition = [\"0.4 mm\", \"0.4 mm\"]\nmaterial = \"steel\"\n[[interaction]]\nbetween = [\"ball\", \"left\"]\nlaw = \"round\"\n[[law]]\nname = \"round\"\nmodel = \"hertz\"\n[[law]]"), []string{"small.toml:27:12", "the centre of the sphere lies in the body"}},
		{"interaction without particles", deck("[[law]]", "[[interaction]]\nlaw = \"stiff\"\n[[law]]"), []string{"is a surface law"}},
		{"truncated mesh", mesh("5 2 2 2 2 5 6 7\n6 2 2 2 2 5 7 8\n$EndElements\n", ""), []string{"small.msh:", "an element number"}},
		{"mesh with a hole in it", mesh("3 2 2 1 1 1 2 3", "3 2 2 1 1 1 2 9"), []string{"small.msh:26", "node 9"}},
		{"tetrahedron", mesh("3 2 2 1 1 1 2 3", "3 4 2 1 1 1 2 3 4"), []string{"small.msh:26", "tetrahedron", "gmsh -2"}},
		{"flat triangle", mesh("3 1e-3 1e-3 0", "3 2e-3 0 0"), []string{"triangle 3 has no area"}},
		{"duplicate triangle", mesh("4 2 2 1 1 1 3 4", "4 2 2 1 1 3 1 2"), []string{"triangles 3 and 4"}},
		{"not in the plane", mesh("7 2.001e-3 1e-3 0", "7 2.001e-3 1e-3 1"), []string{"small.msh:19", "z = 1"}},
		{"overlap at the start", mesh("5 1.001e-3 0 0", "5 0.9e-3 0 0"), []string{"overlap at the start"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := model(t, c.files[0], c.files[1])
			status, stdout, stderr := command("run", filepath.Join(dir, "small.toml"))
			if status != 2 || stdout != "" {
				t.Errorf("exit status %d, standard output %q", status, stdout)
			}
			first, _, _ := strings.Cut(stderr, "\n")
			for _, part := range c.want {
				if !strings.Contains(first, part) {
					t.Errorf("the message does not say %q:\n%s", part, stderr)
				}
			}
			if !strings.HasPrefix(first, "fdem: ") || strings.Count(stderr, "\n") > 3 {
				t.Errorf("not one clear error:\n%s", stderr)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 2 {
				t.Errorf("the run left %d files instead of 2", len(entries))
			}
		})
	}
	for _, args := range [][]string{{"run"}, {"run", "a.msh", "b.msh"}, {"run", "nowhere.msh"}, {"run", "model.inp"}, {"bogus"}, {"run", "--bogus", "a.msh"}} {
		if status, _, stderr := command(args...); status != 2 || stderr == "" {
			t.Errorf("fdem %v: exit status %d, %q", args, status, stderr)
		}
	}
}
