package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fdem/io/view"

	"github.com/chromedp/chromedp"
)

const previewed = `title = "Block"
mesh = "block.msh"
[analysis]
duration = "0.1 ms"
gravity = [0, "-9.81 m/s2"]
[[material]]
name = "steel"
young = "200 GPa"
poisson = 0.3
density = "7800 kg/m3"
[[body]]
name = "block"
material = "steel"
[[fix]]
on = "bottom"
[[load]]
on = "top"
pressure = "2 MPa"
[[rigid]]
name = "ball"
shape = "disc"
radius = "5 mm"
centre = ["10 mm", "50 mm"]
density = "7800 kg/m3"
velocity = [0, "-1 m/s"]
[[contact]]
name = "blow"
contactor = "block"
opposite = "ball"
[[spring]]
name = "string"
on = "ball"
to_at = ["10 mm", "70 mm"]
stiffness = "1 N/m"
`

// previewModel writes the model and its mesh, and returns the deck's path.
func previewModel(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	deck, shapes := filepath.Join(dir, "block.toml"), filepath.Join(dir, "block.shapes.toml")
	for path, text := range map[string]string{deck: previewed, shapes: "edge = \"5 mm\"\n[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [\"20 mm\", \"40 mm\"]\nbottom = \"bottom\"\ntop = \"top\"\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "mesh", shapes, "-o", filepath.Join(dir, "block.msh"))
	return deck
}

// edit replaces a text of a file, whose time then differs.
func edit(t *testing.T, path, old, by string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(data), old, by, 1)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A model is shown before its run, with symbols, groups and what check says, and follows its files:
// an error names its line, and what was there stays.
func TestViewOfAModel(t *testing.T) {
	t.Parallel()
	deck := previewModel(t)
	url, stop := startView(t, deck)
	get := func() (m view.Meta) {
		t.Helper()
		answer, err := http.Get(url + "meta.json")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := get()
	if m.Model == nil || m.Status != "model" || m.Title != "Block" || m.Triangles == 0 || len(m.Times) != 1 {
		t.Fatalf("the page gets %+v", m)
	}
	kinds := map[string]int{"fix": 14, "load": 16, "gravity": 3, "velocity": 0, "contact": 26, "spring": 30}
	for _, s := range m.Model.Symbols {
		if line, known := kinds[s.Kind]; !known || s.Line != line && line > 0 {
			t.Errorf("symbol %s %q is of line %d of the deck, want %d", s.Kind, s.Name, s.Line, line)
		}
		delete(kinds, s.Kind)
	}
	if len(kinds) > 0 {
		t.Errorf("there are no symbols of %v", kinds)
	}
	names := []string{}
	for _, g := range m.Model.Groups {
		names = append(names, g.Name)
	}
	if !slices.Equal(names, []string{"bottom", "top"}) {
		t.Errorf("groups are %v", names)
	}
	quality := slices.IndexFunc(m.Model.Said, func(s view.Said) bool { return strings.HasPrefix(s.Text, "mesh quality") })
	if quality < 0 || m.Model.Said[quality].Element == 0 || m.Model.Said[quality].Box == nil {
		t.Errorf("check says %+v", m.Model.Said)
	}
	for range 100 { // the prediction takes its time
		if m = get(); strings.HasPrefix(m.Model.Said[len(m.Model.Said)-1].Text, "the step is set by") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if last := m.Model.Said[len(m.Model.Said)-1]; !strings.HasPrefix(last.Text, "the step is set by") {
		t.Errorf("the last line is %q", last.Text)
	}
	edit(t, deck, "on = \"bottom\"", "on = \"botom\" ")
	bad := get()
	if s := bad.Model.Said[0]; s.Kind != "error" || s.Line != 15 || !strings.Contains(bad.Model.Error, "bottom") || bad.Generation != m.Generation {
		t.Errorf("a wrong name is told as %+v", s)
	}
	edit(t, deck, "on = \"botom\" ", "on = \"top\"")
	if good := get(); good.Model.Error != "" || good.Generation == m.Generation || good.Model.Symbols[0].Name != "top" {
		t.Errorf("a mended deck is told as %q, %+v", good.Model.Error, good.Model.Symbols[0])
	}
	stop()
	if status, _, stderr := command("view", filepath.Join(filepath.Dir(deck), "none.toml")); status != 2 || !strings.Contains(stderr, "there is no deck") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// Held temperatures, heat that flows in and convection have symbols, too.
func TestViewOfHeat(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "warm")
	succeed(t, "new", "--template", "heated-wall", dir)
	deck := filepath.Join(dir, "warm.toml")
	edit(t, deck, "[[convection]]", "[[heat_flux]]\non = \"head\"\nflux = \"20 W/m2\"\n[[heat_flux]]\non = \"wall\"\nsource = \"5 W/m3\"\n[[convection]]")
	url, _ := startView(t, deck)
	answer, err := http.Get(url + "meta.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var m view.Meta
	if err := json.NewDecoder(answer.Body).Decode(&m); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range m.Model.Symbols {
		if s.Kind != "fix" && s.Kind != "probe" {
			got = append(got, s.Kind+" "+s.Name+": "+s.Text)
			if s.Line == 0 || len(s.At)+len(s.Lines) == 0 {
				t.Errorf("%s %s has line %d, %d points, %d lines", s.Kind, s.Name, s.Line, len(s.At)/2, len(s.Lines)/4)
			}
		}
	}
	want := []string{"temperature warm: held at 293.1 K, at the end 393.1 K, 59 nodes", "heat_flux head: heat of 20 W/m2 at most",
		"heat_flux wall: source of 5 W/m3 at most", "convection cold: 15 W/(m2 K), to 293.1 K at the start"}
	if !slices.Equal(got, want) {
		t.Errorf("symbols are %q, want %q", got, want)
	}
}

// The page draws the symbols, names groups under the pointer, and goes where a line of check tells.
func TestPageOfAModel(t *testing.T) {
	t.Parallel()
	withAll(t)
	deck := previewModel(t)
	url, _ := startView(t, deck)
	b := newBrowser(t)
	b.do(chromedp.EmulateViewport(1400, 900), chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown === 0 && fdem.marks.all().length > 10")
	if legend := eval[string](b, `document.getElementById("names").textContent`); !strings.Contains(legend, "steel") {
		t.Errorf("the legend names %q", legend)
	}
	at := b.at(0, -0.02749)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	b.until(`document.querySelector('#values dd[data-name="groups"]')`)
	if groups := eval[string](b, `document.querySelector('#values dd[data-name="groups"]').dataset.value`); groups != "bottom" {
		t.Errorf("under the pointer are the groups %q", groups)
	}
	before := eval[float64](b, "fdem.mesh.view.scale")
	eval[int](b, `([...document.querySelectorAll("#model .said button")].find(e => e.textContent.startsWith("mesh quality")).click(), 0)`)
	if after := eval[float64](b, "fdem.mesh.view.scale"); after < 2*before {
		t.Errorf("the worst triangle is shown at %g times the scale", after/before)
	}
	edit(t, deck, "on = \"bottom\"", "on = \"botom\" ")
	b.until(`document.querySelector("#model .deck .here")?.dataset.n === "15" && !document.getElementById("message").hidden`)
	eval[int](b, "window.old = 1")
	edit(t, deck, "on = \"botom\" ", "on = \"top\"")
	b.until(`!window.old && document.getElementById("message")?.hidden && window.fdem?.marks.page.meta?.model.symbols[0].name === "top" && fdem.shown === 0`)
	if after := eval[float64](b, "fdem.mesh.view.scale"); after < 2*before {
		t.Error("the view was lost when the deck changed")
	}
	b.silent()
}
