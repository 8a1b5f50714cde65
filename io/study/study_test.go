package study

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/io/history"

	"github.com/google/go-cmp/cmp"
)

const base = `mesh = "blocks.msh"   # kept
[analysis]
duration = "2 us"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[body]]
name = "block"
material = "steel"
velocity = ["1 m/s", 0]
`

const varied = `deck = "base.toml"
[sampling]
latin_hypercube = 8
seed = 3
[[parameter]]
name = "speed"
unit = "mm/s"
from = 100
to = 1000
spacing = "logarithmic"
set = ["body.block.velocity.x"]
[[parameter]]
name = "stiff"
values = [1, 2]
scale = ["material.steel.young"]
[[parameter]]
name = "what"
values = ["one", "two"]
set = ["body.block.name"]
[[collect]]
name = "vx"
summary = "bodies.1.velocity.x"
[[collect]]
name = "ratio"
expression = "vx / speed"
`

func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCases(t *testing.T) {
	dir := files(t, map[string]string{"base.toml": base, "s.study.toml": varied, "blocks.msh": "not looked at"})
	s, err := New(filepath.Join(dir, "s.study.toml"), filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != 32 {
		t.Fatalf("%d cases, want 8 samples of each of four combinations", len(s.Cases))
	}
	strata := make([]int, 8)
	for _, c := range s.Cases[:8] {
		part := math.Log(c.Values[0]/100) / math.Log(10)
		strata[int(part*8)]++
		if c.Texts[1] != "1" || c.Texts[2] != "one" {
			t.Errorf("%s: want stiff 1, what one", s.String(c))
		}
	}
	if slices.ContainsFunc(strata, func(n int) bool { return n != 1 }) {
		t.Errorf("samples in the eighths of the range: %v, want one each", strata)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	c := s.Cases[31]
	path := filepath.Join(c.dir, "case.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`mesh = "../../../blocks.msh"   # kept`, `young = "420 GPa"`, `name = "two"`, `velocity = ["` + c.Texts[0] + ` mm/s", 0]`, "# case 32 (speed = ",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the deck has no %s:\n%s", want, text)
		}
	}

	// what is done stays, unless the deck changes
	if err := c.write(Outcome{Status: Done}); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	if got := c.Outcome().Status; got != Done {
		t.Errorf("written again, the case is %s, want done", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "blocks.msh"), []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	if got := c.Outcome().Status; got != Waiting {
		t.Errorf("with another mesh, the case is %s, want waiting", got)
	}
}

func TestTemplates(t *testing.T) {
	study := strings.Replace(varied, "deck =", `mesh = { template = "b.geo", command = ["sh", "-c", "cp b.geo b.msh; echo {{speed m/s}}"], result = "b.msh" }
deck =`, 1)
	dir := files(t, map[string]string{"base.toml": base, "s.toml": study, "b.geo": "h = {{speed}}; k = {{ speed um/s }}; {{what}} {{stiff}}\n"})
	s, err := New(filepath.Join(dir, "s.toml"), filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	c := Case{Values: []float64{250, 2, 1}, Texts: []string{"250", "2", "two"}}
	got, err := s.meshOf(c)
	if want := "h = 0.25; k = 250000; two 2\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := s.makeMesh(context.Background(), "fdem", s.Cases[0], log); err != nil {
		t.Fatal(err)
	}
	if made, err := os.ReadFile(filepath.Join(s.Cases[0].dir, "b.msh")); err != nil || !strings.HasPrefix(string(made), "h = 0.") {
		t.Errorf("the mesh is %q, %v", made, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.geo"), []byte("{{spede}}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := New(filepath.Join(dir, "s.toml"), filepath.Join(dir, "out")); err == nil || !strings.Contains(err.Error(), `no parameter "spede"`) {
		t.Errorf("a placeholder without a parameter: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"deck =", "dekc = 1\ndeck =", `s.toml:1:1: unknown key "dekc": did you mean "deck"?`},
		{`"base.toml"`, `"other.toml"`, "the base deck: open "},
		{"body.block.velocity.x", "body.blok.velocity.x", `there is no "blok": did you mean "block"?`},
		{"body.block.velocity.x", "body.block", "is a table: the path must lead to a value"},
		{`unit = "mm/s"`, `unit = "kg"`, `base.toml:12:`},
		{`unit = "mm/s"`, `unit = "parsec"`, `s.toml:7:8: parameter "speed": unknown unit "parsec"`},
		{"to = 1000", "to = 10", `parameter "speed": to must be above from, 100, got 10`},
		{"[1, 2]", "[]", "the list of values is empty"},
		{`["one", "two"]`, `["one", 2]`, "values must be all numbers or all texts"},
		{"vx / speed", "vx / sped", `collect "ratio": expression "vx / sped": there is no sped; there are speed`},
		{"vx / speed", strings.Repeat("(", 500000), "an expression of 500000 letters is too long, at most 10000"},
		{"vx / speed", strings.Repeat("(", 5000), "an expression may have at most 100 nested brackets"},
		{`name = "ratio"`, `name = "vx"`, `the name "vx" is used already`},
		{`name = "ratio"`, `name = "a b"`, "name must be of letters"},
		{"latin_hypercube = 8", "", `parameter "speed": number is missing`},
		{"values = [1, 2]", "values = [1, 2]\nnumber = 3", "number does not go with values"},
		{`expression = "vx / speed"`, `take = "max"`, "take goes with history"},
		{`summary = "bodies.1.velocity.x"`, "history = \"x\"\ntake = \"most\"", `take must be one of`},
		{`summary = "bodies.1.velocity.x"`, "summary = \"x\"\ntake = \"max\"", `take goes with history`},
		{"latin_hypercube = 8", "latin_hypercube = 90000", "more than 100000 cases"},
	} {
		if !strings.Contains(varied, c.old) {
			t.Fatalf("%q is not in the study", c.old)
		}
		dir := files(t, map[string]string{"base.toml": base, "s.toml": strings.Replace(varied, c.old, c.new, 1)})
		_, err := New(filepath.Join(dir, "s.toml"), filepath.Join(dir, "out"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

func TestCollect(t *testing.T) {
	summary := map[string]any{"energy": map[string]any{"kinetic": map[string]any{"end": 3.0}}, "bodies": []any{
		map[string]any{"name": "a", "velocity": []any{1.0, 2.0}}, map[string]any{"name": "b", "velocity": []any{4.0, 5.0}},
	}}
	for _, c := range []struct {
		path string
		want float64
	}{{"energy.kinetic.end", 3}, {"bodies.b.velocity.y", 5}, {"bodies.1.velocity.x", 1}, {"bodies.2.velocity.1", 4}} {
		if got, err := lookUp(summary, c.path); err != nil || got != c.want {
			t.Errorf("%s: got %g, %v, want %g", c.path, got, err, c.want)
		}
	}
	for _, path := range []string{"energy", "energy.strain.end", "bodies.c.velocity.x", "bodies.a.velocity.3", "bodies.a.velocity.x.y"} {
		if got, err := lookUp(summary, path); err == nil {
			t.Errorf("%s: got %g", path, got)
		}
	}
	past := history.Table{Columns: []string{"time", "f"}, Rows: [][]float64{{0, 1}, {1, 5}, {4, -1}}}
	for _, c := range []struct {
		q    deck.StudyQuantity
		want float64
	}{
		{deck.StudyQuantity{Take: "first"}, 1}, {deck.StudyQuantity{Take: "last"}, -1}, {deck.StudyQuantity{Take: "min"}, -1},
		{deck.StudyQuantity{Take: "max"}, 5}, {deck.StudyQuantity{Take: "mean"}, (3 + 6) / 4.0}, {deck.StudyQuantity{Take: "at", At: 2}, 3},
		{deck.StudyQuantity{Take: "at", At: 4}, -1}, {deck.StudyQuantity{Take: "at", At: 0}, 1},
	} {
		c.q.History = "f"
		if got, err := take(past, c.q); err != nil || got != c.want {
			t.Errorf("%s: got %g, %v, want %g", c.q.Take, got, err, c.want)
		}
	}
	if _, err := take(past, deck.StudyQuantity{History: "f", Take: "at", At: 5}); err == nil {
		t.Error("a time after the end was taken")
	}
	if _, err := take(past, deck.StudyQuantity{History: "g", Take: "max"}); err == nil || !strings.Contains(err.Error(), "there are time, f") {
		t.Errorf("a missing column: %v", err)
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct{ old, want string }{
		{`"0.5 um/MPa^0.653"`, `"1 um/MPa^0.653"`}, {"3", "6"}, {"1e-3", "0.002"}, {"'4 mm'", `"8 mm"`},
	} {
		if got, err := scaled(c.old, 2); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.old, got, err, c.want)
		}
	}
	if got, err := scaled(`"steel"`, 2); err == nil {
		t.Errorf("a name was scaled to %s", got)
	}
}

func TestTable(t *testing.T) {
	s := &Study{Study: &deck.Study{
		Parameters: []deck.StudyParameter{{Name: "speed", Unit: "m/s"}}, Quantities: []deck.StudyQuantity{{Name: "f", Unit: "N"}},
	}}
	rows := []Row{
		{Case{Number: 1, Texts: []string{"0.5"}}, Outcome{Status: Done, Seconds: 1.5}, []float64{3}},
		{Case{Number: 2, Texts: []string{"1"}}, Outcome{Status: Failed, Error: "too fast,\nalas"}, []float64{math.NaN()}},
	}
	var b bytes.Buffer
	if err := s.WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := "case,speed [m/s],f [N],status,seconds,error\n1,0.5,3,done,1.50,\n2,1,,failed,0.00,\"too fast,; alas\"\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestScript(t *testing.T) {
	s := &Study{Study: &deck.Study{File: "/a b/it's.study.toml"}, Dir: "/a b/out"}
	cases := []Case{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 7}, {Number: 9}, {Number: 10}}
	script, err := s.Script("/bin/fdem", []string{"--time=30"}, cases)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#!/bin/sh\n", "#SBATCH --job-name=fdem-it-s\n", "#SBATCH --array=1-3,7,9-10\n", "#SBATCH --time=30\n", "#SBATCH --requeue",
		`exec '/bin/fdem' sweep '/a b/it'\''s.study.toml' -o '/a b/out' --case "$SLURM_ARRAY_TASK_ID"` + "\n",
	} {
		if !strings.Contains(script, want) {
			t.Errorf("the script has no %q:\n%s", want, script)
		}
	}
	// Names that a shell or Slurm would read as more than names.
	odd := &Study{Study: &deck.Study{File: "/a $(touch x)/`y`;#.study.toml"}, Dir: `/a "b" 100%/$HOME #`}
	if script, err = odd.Script("/bin/fd'em", nil, cases); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#SBATCH --job-name=fdem--y-", `#SBATCH "--output=/a \"b\" 100%%/$HOME #/slurm-%a.log"` + "\n",
		`exec '/bin/fd'\''em' sweep '/a $(touch x)/` + "`y`;#.study.toml" + `' -o '/a "b" 100%/$HOME #' --case`,
	} {
		if !strings.Contains(script, want) {
			t.Errorf("the script has no %q:\n%s", want, script)
		}
	}
	for _, s := range []*Study{
		{Study: &deck.Study{File: "/a\nrm x.study.toml"}, Dir: "/b"}, {Study: &deck.Study{File: "/a"}, Dir: "/b\nc"}, {Study: &deck.Study{File: "/a"}, Dir: `/b\c`},
	} {
		if script, err := s.Script("/bin/fdem", nil, cases); err == nil {
			t.Errorf("a script of %q in %q:\n%s", s.File, s.Dir, script)
		}
	}
	if script, err := s.Script("/bin/fdem", []string{"--time=30\nrm x"}, cases); err == nil {
		t.Errorf("a script of an option with a line break:\n%s", script)
	}
}

// The line through strengths that keep Mohr and Coulomb's law has its cohesion and angle,
// in compression and in shear, in whatever units the values are.
func TestEnvelope(t *testing.T) {
	const c, phi = 17.5e6, 35 * math.Pi / 180
	k := (1 + math.Sin(phi)) / (1 - math.Sin(phi))
	s := &Study{Study: &deck.Study{
		Parameters: []deck.StudyParameter{{Name: "p", Unit: "MPa"}},
		Quantities: []deck.StudyQuantity{{Name: "s1", Unit: "kPa"}, {Name: "tau", Unit: "Pa"}},
		Envelopes:  []deck.StudyEnvelope{{Name: "a", Strength: "s1", Over: "p"}, {Name: "b", Strength: "tau", Over: "p", Shear: true}},
	}}
	var rows []Row
	for i, p := range []float64{0, 5, 10} {
		rows = append(rows, Row{Case{Number: i, Values: []float64{p}, Texts: []string{""}}, Outcome{Status: Done}, []float64{(2*c*math.Sqrt(k) + k*p*1e6) / 1e3, c + 1e6*p*math.Tan(phi)}})
	}
	rows = append(rows, Row{Case{Values: []float64{20}, Texts: []string{""}}, Outcome{Status: Failed}, []float64{math.NaN(), math.NaN()}})
	for _, e := range s.Fit(rows) {
		if e.Err != nil || math.Abs(e.Cohesion/c-1) > 1e-12 || math.Abs(e.Angle-35) > 1e-10 || e.Cases != 3 || e.Residual > 1e-6 {
			t.Errorf("%+v", e)
		}
	}
	for _, e := range s.Fit(rows[:1]) {
		if e.Err == nil {
			t.Errorf("of one case: %+v", e)
		}
	}
}

// Cases that differ by a seed are one row.
func TestStatistics(t *testing.T) {
	s := &Study{Study: &deck.Study{
		Parameters: []deck.StudyParameter{{Name: "p", Unit: "MPa", Texts: []string{"1", "2", "3"}}, {Name: "seed", Repeat: true}}, Quantities: []deck.StudyQuantity{{Name: "f", Unit: "N"}},
	}}
	row := func(p, seed string, f float64) Row {
		return Row{Case{Texts: []string{p, seed}}, Outcome{Status: Done}, []float64{f}}
	}
	var b bytes.Buffer
	rows := []Row{row("1", "1", 2), row("1", "2", 4), row("1", "3", 6), row("2", "1", 7), {Case{Texts: []string{"2", "2"}}, Outcome{Status: Failed}, []float64{math.NaN()}}, row("3", "1", 8), row("3", "2", 8)}
	if err := s.WriteStatistics(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := "p [MPa],cases,f mean [N],f deviation [N],f least [N],f greatest [N]\n1,3,4,2,2,6\n2,1,7,,7,7\n3,2,8,0,8,8\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	said := []string{"p 1 MPa: f: mean 4 N, standard deviation 2 N, from 2 to 6 N in 3 cases", "p 3 MPa: f: 8 N in all 2 cases"}
	if diff := cmp.Diff(said, s.Statistics(rows)); diff != "" {
		t.Error(diff)
	}
}

// A study changes the shapes of its mesh by path, and says what is wrong with them.
func TestShapesOfCases(t *testing.T) {
	study := `deck = "base.toml"
mesh = { shapes = "b.shapes.toml" }
[[parameter]]
name = "seed"
values = [3, 4]
set = ["shapes.seed"]
[[parameter]]
name = "edge"
unit = "mm"
values = [2]
set = ["shapes.rectangle.block.edge"]
[[collect]]
name = "vx"
summary = "bodies.1.velocity.x"
`
	shapes := "seed = 1\n[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [\"9 mm\", \"9 mm\"]\nedge = \"1 mm\"\n"
	try := func(study, shapes string) (*Study, error) {
		dir := files(t, map[string]string{"base.toml": base, "s.toml": study, "b.shapes.toml": shapes})
		return New(filepath.Join(dir, "s.toml"), filepath.Join(dir, "out"))
	}
	s, err := try(study, shapes)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.meshOf(s.Cases[1])
	if want := strings.NewReplacer("seed = 1", "seed = 4", "1 mm", "2 mm").Replace(shapes); err != nil || got != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	for want, texts := range map[string][2]string{
		`there is no "seed"`:                                 {study, strings.Replace(shapes, "seed = 1\n", "", 1)},
		"must lie between 0 and 2147483647":                  {strings.Replace(study, "[3, 4]", "[-3]", 1), shapes},
		"is in a shapes file":                                {strings.Replace(study, "mesh = { shapes = \"b.shapes.toml\" }\n", "", 1), shapes},
		"command does not go with":                           {strings.Replace(study, `.toml" }`, `.toml", command = ["sh"] }`, 1), shapes},
		`the study has no "strength"`:                        {study + "[[envelope]]\nname = \"a\"\npressure = \"edge\"\n", shapes},
		`strength must be a stress, such as in Pa, and "vx"`: {study + "[[envelope]]\nname = \"a\"\nstrength = \"vx\"\npressure = \"edge\"\n", shapes},
	} {
		if _, err := try(texts[0], texts[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
