package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// More inputs that are wrong, from careless to hostile: one clear error that
// names the file, exit status 2, nothing written. Those of TestWrongInputs are
// the ones that users make.
func TestHostileInputs(t *testing.T) {
	type edit struct{ old, new string }
	deck := func(name, old, new, want string) (string, bool, edit, string) {
		return name, false, edit{old, new}, want
	}
	mesh := func(name, old, new, want string) (string, bool, edit, string) {
		return name, true, edit{old, new}, want
	}
	cases := 0
	try := func(name string, ofMesh bool, e edit, want string) {
		cases++
		t.Run(name, func(t *testing.T) {
			files := [2]string{small, smallMesh}
			k := 0
			if ofMesh {
				k = 1
			}
			if e.old == "" {
				files[k] = e.new
			} else if !strings.Contains(files[k], e.old) {
				t.Fatalf("there is no %q", e.old)
			} else {
				files[k] = strings.Replace(files[k], e.old, e.new, 1)
			}
			dir := model(t, files[0], files[1])
			status, stdout, stderr := command("run", filepath.Join(dir, "small.toml"))
			first, _, _ := strings.Cut(stderr, "\n")
			if status != 2 || stdout != "" || !strings.HasPrefix(first, "fdem: ") || !strings.Contains(first, dir) || strings.Count(stderr, "\n") > 3 {
				t.Errorf("exit status %d, not one clear error:\n%s", status, stderr)
			}
			if !strings.Contains(first, want) {
				t.Errorf("the message does not say %q:\n%s", want, stderr)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 2 {
				t.Errorf("the run left %d files instead of 2", len(entries))
			}
		})
	}
	const steelDensity = `"7860 kg/m3"`
	try(deck("empty deck", "", "\n", "duration"))
	try(deck("binary deck", "", "\x00\x01\x02\xff", "small.toml:1"))
	try(deck("deck of bad UTF-8", `"two blocks"`, "\"\xff\xfe\"", "small.toml:2"))
	try(deck("deep nesting", "title", "a = "+strings.Repeat("[", 10000)+"\ntitle", "small.toml:"))
	try(deck("key twice", `poisson = 0.3`, "poisson = 0.3\npoisson = 0.2", "small.toml:1"))
	try(deck("table twice", "[output]", "[analysis]\n[output]", "small.toml:"))
	try(deck("infinite density", steelDensity, "inf", "finite"))
	try(deck("density that is no number", steelDensity, "nan", "finite"))
	try(deck("density that overflows", steelDensity, `"1e400 kg/m3"`, "small.toml:13"))
	try(deck("density in a list", steelDensity, "[7860]", "density"))
	try(deck("density in a table", steelDensity, "{ value = 7860 }", "density"))
	try(deck("density as a date", steelDensity, "1979-05-27", "density"))
	try(deck("density true", steelDensity, "true", "density"))
	try(deck("empty text for a density", steelDensity, `""`, "density"))
	try(deck("unit without a number", steelDensity, `"kg/m3"`, "density"))
	try(deck("number with junk", steelDensity, `"7860 kg/m3; rm"`, "density"))
	try(deck("unit to a huge power", steelDensity, `"1 kg/m^999999999"`, "density"))
	try(deck("negative duration", `"2 us"`, `"-2 us"`, "duration must be positive"))
	try(deck("no duration at all", `"2 us"`, `0.0`, "duration must be positive"))
	try(deck("negative thickness", `"10 mm"`, `"-10 mm"`, "thickness must be positive"))
	try(deck("safety above one", "thickness", "safety = 1.5\nthickness", "safety must be above 0 and at most 1"))
	try(deck("step of no length", "thickness", "step = 0.0\nthickness", "step must be"))
	try(deck("plane that is none", "thickness", "plane = \"strange\"\nthickness", `"strange"`))
	try(deck("gravity of one component", "thickness", "gravity = [1.0]\nthickness", "2 entries"))
	try(deck("damping that grows", "thickness", "damping = { mass = -1.0 }\nthickness", "must not be negative"))
	try(deck("damping of something else", "thickness", "damping = { friction = 1.0 }\nthickness", "friction"))
	try(deck("rows before the start", `"0.2 us"`, `"-0.2 us"`, "history_every must not be negative"))
	try(deck("checkpoints before the start", "[output]", "[output]\ncheckpoint_every = -1", "checkpoint_every must not be negative"))
	try(deck("fields compressed with a number", "[output]", "[output]\nfields_compress = 1", "fields_compress must be true or false"))
	try(deck("checkpoints compressed with a text", "[output]", "[output]\ncheckpoint_compress = \"zstd\"", "checkpoint_compress must be true or false"))
	try(deck("material without a name", `name = "steel"`, "", "name is missing"))
	try(deck("material twice", "[[body]]", "[[material]]\nname = \"steel\"\nyoung = 1\npoisson = 0\ndensity = 1\n[[body]]", "material of this name already"))
	try(deck("body twice", `name = "right"`, `name = "left"`, "body of this name already"))
	try(deck("material as a single block", "[[material]]", "[material]", "double brackets"))
	try(deck("velocity of three components", `["1 m/s", 0.0]`, `["1 m/s", 0.0, 0.0]`, "2 entries"))
	try(deck("velocity in metres", `["1 m/s", 0.0]`, `["1 m", 0.0]`, "velocity"))
	try(deck("fix in z", `components = ["x", "y"]`, `components = ["z"]`, `"x" and "y"`))
	try(deck("fix of nothing", `components = ["x", "y"]`, `components = []`, "at least one"))
	try(deck("no contact nodes", "friction = 0.1", "nodes_per_element = 0", "between 1 and 1000"))
	try(deck("billions of contact nodes", "friction = 0.1", "nodes_per_element = 1000000000", "between 1 and 1000"))
	try(deck("half a contact node", "friction = 0.1", "nodes_per_element = 0.5", "whole number"))
	try(deck("stick without stiffness", "friction = 0.1", "friction = 0.1\nstick_stiffness = 0", `stick_stiffness must be positive, or "auto", got 0 Pa/m`))
	try(deck("contact with nobody", `opposite = "left"`, `opposite = "nobody"`, `"nobody"`))
	try(deck("load without a force", "[[probe]]", "[[load]]\non = \"middle\"\n[[probe]]", "a load needs one of force, pressure"))
	try(deck("load by a broken expression", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"sin(\", 0.0]\n[[probe]]", "not an expression of t"))
	try(deck("load by a poor expression", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"1/t\", 0.0]\n[[probe]]", "no finite value at t = 0 s"))
	try(deck("load by an expression that reads files", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [\"os.ReadFile('x')\", 0.0]\n[[probe]]", "force"))
	try(deck("schedule that runs back", "[[probe]]", "[[load]]\non = \"middle\"\nforce = [1.0, 0.0]\nschedule = [[1.0, 1.0], [0.0, 1.0]]\n[[probe]]", "must not decrease"))
	try(deck("billions of edges", "[[probe]]", "[[rigid]]\nname = \"d\"\nshape = \"disc\"\ncentre = [9.0, 9.0]\nradius = 1.0\nedges = 1000000000\n[[probe]]", "edges must lie between"))
	try(deck("particles without end", "[[probe]]", "[[particle]]\nname = \"p\"\nradius = 1e-3\nmass = 1.0\nfile = \"/dev/null\"\n[[probe]]", "p"))
	try(deck("mesh of another kind", "title", "mesh = \"small.toml\"\ntitle", "small.toml"))
	try(deck("mesh that is a folder", "title", "mesh = \".\"\ntitle", "is a folder"))
	try(deck("probe of nothing", "[[probe]]", "[[probe]]\nquantity = \"temperature\"", "temperature"))
	try(mesh("empty mesh", "", "", "small.msh"))
	try(mesh("binary rubbish", "", "\x7fELF\x02\x01", "small.msh"))
	try(mesh("format of the future", "2.2 0 8", "9.9 0 8", "9.9"))
	try(mesh("mesh of 1e9 nodes", "$Nodes\n8", "$Nodes\n1000000000", "1000000000"))
	try(mesh("mesh of fewer than no nodes", "$Nodes\n8", "$Nodes\n-8", "small.msh:13"))
	try(mesh("mesh of 1e9 elements", "$Elements\n6", "$Elements\n1000000000", "1000000000"))
	try(mesh("element with 1e9 tags", "3 2 2 1 1 1 2 3", "3 2 1000000000 1 1 1 2 3", "small.msh:26"))
	try(mesh("node that is no number", "2 1e-3 0 0", "2 nan 0 0", "small.msh:14"))
	try(mesh("node at infinity", "2 1e-3 0 0", "2 inf 0 0", "small.msh:14"))
	try(mesh("node twice", "2 1e-3 0 0", "1 1e-3 0 0", "small.msh:14"))
	try(mesh("triangle of two nodes", "3 2 2 1 1 1 2 3", "3 2 2 1 1 1 2 2", "triangle 3"))
	try(mesh("text in place of a number", "3 2 2 1 1 1 2 3", "3 2 2 1 1 one 2 3", "small.msh:26"))
	try(mesh("no end of the nodes", "$EndNodes", "", "small.msh"))
	try(mesh("nothing but a head", "", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "small.msh"))
	try(mesh("binary that is text", "2.2 0 8", "2.2 1 8", "small.msh"))
	if cases < 60 {
		t.Errorf("%d cases", cases)
	}
}
