package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fdem/io/vtk"

	"github.com/chromedp/chromedp"
)

// collided runs the elastic collision to a time and returns its results.
func collided(t *testing.T, until string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "results")
	succeed(t, "run", "../../examples/elastic-collision/elastic-collision.msh", "-o", dir, "--until", until, "--quiet")
	return dir
}

// said returns what a button of the greatest value says: the value, its frame and
// its index.
func (b *browser) said(id string) (value float64, frame, at int) {
	b.t.Helper()
	d := eval[map[string]string](b, fmt.Sprintf(`({...document.getElementById(%q).dataset})`, id))
	value, err := strconv.ParseFloat(d["value"], 64)
	if err != nil {
		b.t.Fatalf("the button %s says %v", id, d)
	}
	frame, _ = strconv.Atoi(d["frame"])
	at, _ = strconv.Atoi(d["at"])
	return value, frame, at
}

// The page names the greatest value of this frame and of the run with its position
// and time, its scale reaches it, and a click goes there. It opens at a frame with
// something to see, at a magnification that it names.
func TestPageSaysTheMaximum(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := collided(t, "80 us")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "report", dir, "-o", report)
	frames, err := vtk.ReadSeries(filepath.Join(dir, "fields.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	greatest := func(field string, component int) (most float64, frame int, perFrame []float64) {
		for i, v := range frames {
			g, _ := openFrame(t, filepath.Join(dir, v.File))
			a, here := array(t, g, field), 0.0
			for k := component; k < len(a.Float64); k += a.Components {
				if math.Abs(a.Float64[k]) > math.Abs(here) {
					here = a.Float64[k]
				}
			}
			perFrame = append(perFrame, here)
			if math.Abs(here) > math.Abs(most) {
				most, frame = here, i
			}
		}
		return most, frame, perFrame
	}
	close := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 3e-4*math.Abs(want) { // a report rounds
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	url, _ := startView(t, dir)
	for _, page := range []string{url, "file://" + report} {
		b.do(chromedp.Navigate(page))
		b.until("window.fdem && fdem.shown > 0")
		if shown := eval[string](b, `document.getElementById("magnification").textContent`); !strings.HasPrefix(shown, "deformation ×") || eval[float64](b, "fdem.mesh.magnify") < 10 {
			t.Errorf("it opens with %q", shown)
		}
		most, frame, perFrame := greatest("von_mises", 0)
		b.until(fmt.Sprintf(`document.getElementById("ever").dataset.frame === "%d"`, frame)) // all frames are read
		value, _, _ := b.said("ever")
		close("the greatest stress", value, most)
		close("the end of the scale", eval[float64](b, "fdem.mesh.high"), most)
		value, _, _ = b.said("here")
		close("the greatest stress of the frame it opens with", value, perFrame[eval[int](b, "fdem.shown")])
		b.do(chromedp.Click(chromedp.CSS("#ever")))
		b.until(fmt.Sprintf("fdem.shown === %d", frame))
		b.until(fmt.Sprintf(`document.getElementById("values").dataset.frame === "%d"`, frame))
		read := eval[string](b, `document.querySelector('#values dd[data-name="von_mises"]').dataset.value`)
		got, err := strconv.ParseFloat(read, 64)
		if err != nil {
			t.Fatal(err)
		}
		close("what is read at the place of the greatest stress", got, most)
		// on a scale without peaks, the end is below and says so
		b.choose("scale", "run without peaks")
		if high, tick := eval[float64](b, "fdem.mesh.high"), eval[string](b, `document.querySelector(".ticks span:last-child").textContent`); high >= most || !strings.HasPrefix(tick, "≥") {
			t.Errorf("without peaks the scale ends at %g, %q", high, tick)
		}
		b.choose("scale", "whole run")
		// a component, with its sign
		b.choose("field", "velocity")
		b.choose("component", "y")
		most, frame, _ = greatest("velocity", 1)
		value, at, _ := b.said("ever")
		close("the greatest velocity along y", value, most)
		if at != frame {
			t.Errorf("the greatest velocity along y is in frame %d, want %d", at, frame)
		}
		eval[int](b, `(document.getElementById("release").click(), 0)`)
	}
	b.silent()
}

// A body that falls is drawn where it is, its deformation magnified; a supported
// one keeps its support.
func TestPageMagnifiesDeformation(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := collided(t, "60 us")
	url, _ := startView(t, dir)
	b.do(chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown > 0 && fdem.mesh.deform")
	// on average the free striker is drawn where it is, the clamped nodes of the target are at rest
	got := eval[[]float64](b, `(() => {
		const m = fdem.mesh, sums = [0, 0, 0], body = new Int32Array(m.points.length / 2), rest = [];
		for (let t = 0; t < m.count; t++) for (let k = 0; k < 3; k++) body[m.tri[3 * t + k]] = m.body[t];
		for (let n = 0; n < body.length; n++) {
			if (body[n] === 0) for (const c of [0, 1]) sums[c] += m.moved[2 * n + c] - m.told[2 * n + c];
			if (body[n] === 0) sums[2]++;
			if (m.told[2 * n] === 0 && m.told[2 * n + 1] === 0) rest.push(Math.hypot(m.moved[2 * n], m.moved[2 * n + 1]));
		}
		let bent = 0, real = 0;
		for (let n = 0; n < body.length; n++) if (body[n] === 1) [bent, real] = [Math.max(bent, Math.hypot(m.moved[2 * n], m.moved[2 * n + 1])), Math.max(real, Math.hypot(m.told[2 * n], m.told[2 * n + 1]))];
		return [sums[0] / sums[2], sums[1] / sums[2], rest.length, Math.max(...rest), bent / real / m.magnify];
	})()`)
	if math.Hypot(got[0], got[1]) > 1e-8 || got[2] < 5 || got[3] != 0 || math.Abs(got[4]-1) > 1e-4 {
		t.Errorf("the striker is drawn (%g, %g) m off, %g nodes at rest at most %g m, the target bends %g of what it should", got[0], got[1], got[2], got[3], got[4])
	}
	// a position is read where it is drawn
	b.do(chromedp.Click(chromedp.CSS("#here")))
	b.until(`document.getElementById("values").dataset.frame !== ""`)
	if read := eval[string](b, `document.querySelector('#values dd[data-name="element"]').dataset.value + document.getElementById("pin").hidden`); !strings.HasSuffix(read, "false") {
		t.Errorf("the position that is followed is %s", read)
	}
}

// Without WebGL the page draws on a 2-D canvas, much the same picture.
func TestPageWithoutWebGL(t *testing.T) {
	t.Parallel()
	withAll(t)
	with, without := newBrowser(t), newBrowser(t, "disable-3d-apis")
	dir := collided(t, "60 us")
	succeed(t, "report", dir)
	page := "file://" + filepath.Join(dir, "report.html") + "#frame=3&magnify=1"
	for _, b := range []*browser{with, without} {
		b.do(chromedp.Navigate(page))
		b.until("window.fdem && fdem.shown === 2")
	}
	if kind := eval[string](with, "fdem.mesh.constructor.name") + eval[string](without, "fdem.mesh.constructor.name"); kind != "MeshFlat" {
		t.Fatalf("drawn by %s", kind)
	}
	for _, field := range []string{"von Mises stress", "velocity", "contact pressure"} {
		for _, b := range []*browser{with, without} {
			b.choose("field", field)
			eval[int](b, `(document.getElementById("fit").click(), 0)`) // else the view may still leave room for an earlier legend
		}
		p, q := with.picture(), without.picture()
		far := 0
		for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
			for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
				r, g, b, _ := p.At(x, y).RGBA()
				u, v, w, _ := q.At(x, y).RGBA()
				if math.Abs(float64(r)-float64(u))+math.Abs(float64(g)-float64(v))+math.Abs(float64(b)-float64(w)) > 0.3*0xffff {
					far++
				}
			}
		}
		if all := p.Bounds().Dx() * p.Bounds().Dy(); float64(far) > 0.01*float64(all) {
			t.Errorf("%s: %d of %d pixels differ by much without WebGL", field, far, all)
		}
	}
	without.choose("field", "von Mises stress")
	checkPage(t, without, dir, "blasted steel")
	if status := eval[string](without, `document.getElementById("status").textContent`); !strings.Contains(status, "without WebGL 2") {
		t.Errorf("the page says %q", status)
	}
	if ms := eval[float64](without, `(() => { const t = performance.now(); for (let i = 0; i < 5; i++) fdem.mesh.draw({ stage: [1, 1, 1, 1], neutral: [0, 0, 0, 1], edge: [0, 0, 0, 0.35], outline: [0, 0, 0, 1] }); return (performance.now() - t) / 5; })()`); ms > 500 {
		t.Errorf("a picture takes %g ms", ms)
	}
}

// A static analysis has a pseudo-time and no velocities.
func TestPageOfAStaticAnalysis(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := filepath.Join(t.TempDir(), "static")
	succeed(t, "run", "../../examples/beam-on-flat/triangles.toml", "-o", dir, "-q")
	url, _ := startView(t, dir)
	b.do(chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown > 0 && document.querySelectorAll('.plot').length > 1")
	text := eval[string](b, `document.getElementById("scene").innerText + document.getElementById("plots").innerText + document.getElementById("status").innerText + [...document.getElementById("field").options].map(o => o.text).join()`)
	for _, never := range []string{"Velocities", "velocity", " s ", "time (s)", "Turning"} {
		if strings.Contains(text, never) {
			t.Errorf("the page says %q: %s", never, text)
		}
	}
	if !strings.Contains(text, "to pseudo-time 1") || !strings.Contains(text, "velocities of the bodies") {
		t.Errorf("the page says %s", text)
	}
	b.silent()
}

// The part that is followed stays in view, unless the user zooms in.
func TestPageFollowsWhatMoves(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	text := strings.NewReplacer("[[contact]]\ncontactor = \"right\"\nopposite = \"left\"\nlaw = \"stiff\"\nfriction = 0.1\n", "",
		"velocity = [\"1 m/s\", 0.0]", "velocity = [\"-2000 m/s\", 0.0]").Replace(small)
	from := model(t, text, smallMesh)
	succeed(t, "run", filepath.Join(from, "small.msh"), "--quiet")
	done, dir := filepath.Join(from, "small.out"), filepath.Join(t.TempDir(), "going")
	if err := os.CopyFS(dir, os.DirFS(done)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"summary.json", "fields.pvd"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	frames, err := vtk.ReadSeries(filepath.Join(done, "fields.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	fields := vtk.Series{Path: filepath.Join(dir, "fields.pvd")}
	url, _ := startView(t, dir)
	b.do(chromedp.Navigate(url))
	for i, v := range frames {
		if err := fields.Add(v.Time, v.File); err != nil {
			t.Fatal(err)
		}
		b.until(fmt.Sprintf("window.fdem && fdem.shown === %d", i))
		b.until("fdem.mesh.inside()")
	}
	if title := eval[string](b, "document.title"); title != "two blocks" {
		t.Errorf("a run that goes on has the title %q", title)
	}
}

// Excavated triangles are not drawn from the time of excavation on, whether or not their body is
// selected.
func TestPageHidesWhatIsExcavated(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ground.shapes.toml": `edge = "5 mm"
join = ["rock", "plug"]
[[rectangle]]
name = "rock"
from = [0, 0]
to = ["50 mm", "40 mm"]
left = "far"
[[rectangle]]
name = "plug"
from = ["50 mm", 0]
to = ["80 mm", "40 mm"]
`,
		"ground.toml": `mesh = "ground.msh"
[analysis]
duration = "20 us"
[output]
fields_every = "5 us"
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0.25
density = 2600
[[body]]
name = "rock"
material = "stone"
[[body]]
name = "plug"
material = "stone"
[[initial_stress]]
stress = ["-5 MPa", 0, 0]
[[fix]]
on = "far"
[[excavate]]
in = ["plug"]
time = "8 us"
ramp = "5 us"
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "mesh", filepath.Join(dir, "ground.shapes.toml"))
	succeed(t, "run", filepath.Join(dir, "ground.toml"), "-q")
	succeed(t, "report", filepath.Join(dir, "ground.out"))
	b.do(chromedp.Navigate("file://" + filepath.Join(dir, "ground.out", "report.html") + "#frame=2&colour=displacement"))
	b.until(`fdem.state.field?.name === "displacement" && fdem.shown === 1`)
	seen := func() string { return eval[string](b, "String([...fdem.mesh.shown])") }
	for _, c := range []struct {
		frame int
		shown string
	}{{1, "1,1"}, {3, "1,0"}, {1, "1,1"}} {
		eval[int](b, fmt.Sprintf(`(() => { const time = document.getElementById("time"); time.value = %d; time.dispatchEvent(new Event("input")); return 0; })()`, c.frame))
		b.until(fmt.Sprintf("fdem.shown === %d", c.frame))
		if got := seen(); got != c.shown {
			t.Errorf("frame %d shows the bodies %s, want %s", c.frame, got, c.shown)
		}
	}
	eval[int](b, `(() => { const box = document.querySelectorAll("#bodies input")[1]; box.click(); return 0; })()`)
	if got := seen(); got != "1,0" {
		t.Errorf("without the plug bodies %s are shown", got)
	}
	b.silent()
}

// The page draws any column over any other, a loop too, the curves of the deck first.
func TestPageDrawsOneColumnOverAnother(t *testing.T) {
	withAll(t)
	t.Parallel()
	b := newBrowser(t)
	text := small + "[[curve]]\nname = \"way\"\nunit = \"m\"\nvalue = \"0.5*time\"\n[[curve]]\nname = \"twice\"\nunit = \"m\"\nvalue = \"2*way\"\n"
	dir := model(t, text, smallMesh)
	succeed(t, "run", filepath.Join(dir, "small.msh"), "--quiet")
	url, _ := startView(t, filepath.Join(dir, "small.out"))
	b.do(chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown > 0 && document.querySelector('.told')?.textContent")
	reported := `document.querySelector(".told").textContent`
	if got := eval[string](b, reported); got != "twice 2 µm, way 1 µm" {
		t.Errorf("it opens with %q", got)
	}
	eval[bool](b, `{ const [y, x] = document.querySelectorAll(".plot select"); y.value = x.value = [...x.options].find(o => o.text === "kinetic").value; y.dispatchEvent(new Event("change")) }`)
	if got := eval[string](b, reported); !strings.HasPrefix(got, "kinetic ") || !strings.Contains(got, "J, kinetic ") {
		t.Errorf("kinetic over kinetic says %q", got)
	}
	checkPlotsOnAPhone(b, url)
	b.silent()
}

// checkPlotsOnAPhone: by touch any column can be drawn over any other and a tap reads the
// curve; nothing is wider than the screen, axes have four numbers or more, and no colour
// is twice in a plot or unlike that of the legend, by day and by night.
func checkPlotsOnAPhone(b *browser, url string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(375, 740, chromedp.EmulateScale(2), chromedp.EmulateTouch), chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown > 0 && document.querySelector('.told')?.textContent")
	if wide := eval[string](b, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > 375.5).map(e => e.tagName + " " + e.className + e.id).join(", ")`); wide != "" {
		b.t.Errorf("wider than a phone: %s", wide)
	}
	if bad := eval[string](b, `(() => {
		const [y, x] = document.querySelectorAll(".over select"), told = document.querySelector(".told"), bad = [];
		for (const a of x.options) for (const o of y.options) {
			x.value = a.value; y.value = o.value;
			x.dispatchEvent(new Event("change"));
			if (!told.textContent.startsWith(o.text + " ") || !told.textContent.includes(", " + a.text + " ")) bad.push(o.text + " over " + a.text + ": " + told.textContent);
		}
		return bad.join("; ");
	})()`); bad != "" {
		b.t.Error(bad)
	}
	at := eval[[]float64](b, `(r => [r.left + 62 + (r.width - 72) / 2, r.top + 104])((c => (c.scrollIntoView({ block: "center" }), c.getBoundingClientRect()))(document.querySelector(".over canvas")))`)
	eval[int](b, `(() => { const [y, x] = document.querySelectorAll(".over select"); x.value = y.value = 0; x.dispatchEvent(new Event("change")); return 0; })()`)
	before := eval[string](b, `document.querySelector(".told").textContent`)
	b.tap(at[0], at[1])
	b.until(fmt.Sprintf(`document.querySelector(".told").textContent !== %q`, before))
	for _, value := range []string{"light", "dark"} {
		b.scheme(value)
		eval[int](b, "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0))))")
		if bad := eval[string](b, `fdem.plots.map(({ u, box }) => {
			const drawn = u.series.slice(1).map(s => s.stroke()), marks = [...box.querySelectorAll(".u-marker")].slice(1);
			const like = (m, c) => { const i = document.createElement("i"); i.style.color = c; box.append(i); const same = getComputedStyle(i).color === getComputedStyle(m).borderColor; i.remove(); return same; };
			const numbers = u.axes.map(a => a._values.filter(v => v).length), name = box.querySelector("h3").textContent;
			return (new Set(drawn).size < drawn.length || marks.some((m, i) => !like(m, drawn[i])) ? name + " is drawn in " + drawn + "; " : "") + (Math.min(...numbers) < 4 ? name + " has " + numbers + " numbers on its axes; " : "");
		}).join("")`); bad != "" {
			b.t.Errorf("%s: %s", value, bad)
		}
	}
}
