package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A beam and a rigid disc on the page.
func TestBeamInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := filepath.Join(t.TempDir(), "beam")
	succeed(t, "new", dir, "--template", "beam")
	succeed(t, "run", dir, "--until", "4 ms", "--quiet")
	url, _ := startView(t, filepath.Join(dir, "beam.out"))
	b.do(chromedp.Navigate(url + "#frame=1&magnify=1"))
	b.until("window.fdem && fdem.shown === 0")
	checkPage(t, b, filepath.Join(dir, "beam.out"), "cantilever")
	b.silent()
}

// Cracks on the page: none before anything breaks, coloured by mode and by time,
// and left out when nobody wants them; the same with WebGL and without.
func TestCracksInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	dir := filepath.Join(t.TempDir(), "beam")
	succeed(t, "new", dir, "--template", "fracture")
	succeed(t, "run", dir, "--until", "0.3 ms", "--quiet")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "report", filepath.Join(dir, "beam.out"), "-o", report)
	clusters, err := os.ReadFile(filepath.Join(dir, "beam.out", "clusters.csv"))
	if err != nil {
		t.Fatal(err)
	}
	events := fmt.Sprintf("Magnitudes of %d events", strings.Count(string(clusters), "\n")-1)
	for _, flags := range [][]string{nil, {"disable-3d-apis"}} {
		b := newBrowser(t, flags...)
		b.do(chromedp.Navigate("file://" + report + "#frame=1&magnify=1"))
		b.until("window.fdem && fdem.shown === 0")
		const opened = "fdem.mesh.crackValue.filter(v => v !== Infinity).length"
		if n := eval[int](b, opened); n != 0 {
			t.Errorf("%d faces of cracks at first", n)
		}
		b.until(`document.querySelector("#magnitudes h3")`) // after the first frame
		if got := eval[string](b, `document.querySelector("#magnitudes h3").textContent`); got != events {
			t.Errorf("the page says %q, want %q", got, events)
		}
		b.do(chromedp.KeyEvent(kb.End))
		b.until("fdem.shown > 0 && fdem.shown === +document.getElementById('time').max")
		if n := eval[int](b, opened); n < 100 || n%2 != 0 {
			t.Errorf("%d faces of cracks in the end", n)
		}
		byMode := b.picture()
		b.choose("cracks", "time at which a crack opened")
		b.until("fdem.mesh.crackRange[1] < 0.4e-3 && fdem.shown > 0")
		byTime := b.picture()
		if n := differing(byMode, byTime); n < 300 {
			t.Errorf("mode and time look alike: %d pixels differ", n)
		}
		b.choose("cracks", "not shown")
		b.until("fdem.mesh.crackValue === null && fdem.shown > 0")
		if n := differing(byTime, b.picture()); n < 300 {
			t.Errorf("cracks that are not shown: %d pixels differ", n)
		}
		b.choose("field", "number of the fragment")
		b.until("fdem.pictures.field.name === 'fragment' && fdem.mesh.high === 1")
		if n := differing(byTime, b.picture()); n < 300 {
			t.Errorf("fragments: %d pixels differ", n)
		}
		checkChase(b)
		b.silent()
	}
}

// A spring on the page, from the ground to the body on it: its end moves with the body; the same
// with WebGL and without.
func TestSpringsInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	dir := model(t, `
[analysis]
duration = "0.3 s"
gravity = [0, -10]
[output]
fields_every = "0.1 s"
[[rigid]]
name = "bob"
shape = "disc"
centre = [0, 0]
radius = "0.1 m"
mass = "1 kg"
[[spring]]
name = "rope"
on = "bob"
to_at = [0, "1 m"]
stiffness = "50 N/m"
`, "")
	succeed(t, "run", filepath.Join(dir, "small.toml"), "--quiet")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "report", filepath.Join(dir, "small.out"), "-o", report)
	for _, flags := range [][]string{nil, {"disable-3d-apis"}} {
		b := newBrowser(t, flags...)
		b.do(chromedp.Navigate("file://" + report + "#frame=1&magnify=1"))
		b.until("window.fdem && fdem.shown === 0")
		if n := eval[int](b, "fdem.mesh.springs.length"); n != 4 {
			t.Fatalf("%d numbers of springs", n)
		}
		if top := eval[float64](b, "fdem.mesh.box()[3]"); math.Abs(top-1) > 1e-6 {
			t.Errorf("the picture ends at %g m, the spring at 1 m", top)
		}
		thin := b.picture()
		eval[float64](b, "Scene.springWidth = 12")
		b.do(chromedp.KeyEvent("e"))
		b.until("!document.getElementById('edges').checked")
		if n := differing(thin, b.picture()); n < 500 {
			t.Errorf("a spring that is drawn six times as wide: %d pixels differ", n)
		}
		b.do(chromedp.KeyEvent(kb.End))
		b.until("fdem.shown === 3")
		if gone := eval[float64](b, "fdem.mesh.springMoved[1]"); math.Abs(gone-(0.2*(math.Cos(math.Sqrt(50)*0.3)-1))) > 1e-3 {
			t.Errorf("the end of the spring has moved by %g m", gone)
		}
		b.silent()
	}
}

// The page by keys alone, in the dark, and on a phone.
func TestPageByKeysInTheDarkOnAPhone(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := filepath.Join(t.TempDir(), "first")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "new", dir)
	succeed(t, "run", dir, "--until", "60 us", "--quiet")
	succeed(t, "report", dir, "-o", report)
	b.do(chromedp.Navigate("file://" + report + "#frame=1&magnify=1"))
	b.until("window.fdem && fdem.shown === 0")

	// keys
	press := func(key, holds string) {
		t.Helper()
		b.do(chromedp.KeyEvent(key))
		b.until(holds)
	}
	for _, k := range []struct{ key, holds string }{
		{kb.ArrowRight, "fdem.shown === 1"}, {kb.ArrowRight, "fdem.shown === 2"}, {kb.ArrowLeft, "fdem.shown === 1"},
		{kb.End, "fdem.shown === +document.getElementById('time').max"}, {kb.Home, "fdem.shown === 0"},
		{" ", "fdem.state.playing"}, {" ", "!fdem.state.playing"},
		{"2", "fdem.state.field.name !== 'von_mises'"}, {"1", "fdem.state.field.name === 'von_mises'"},
		{"]", "document.getElementById('magnified').textContent !== '×1'"}, {"[", "document.getElementById('magnified').textContent === '×1'"},
		{"e", "!document.getElementById('edges').checked"},
	} {
		press(k.key, k.holds)
	}
	shown := b.picture()
	press("+", "true")
	if n := differing(shown, b.picture()); n < 500 {
		t.Errorf("after zooming by key, %d pixels changed", n)
	}

	// light and dark
	bright := `(c => { const [r, g, b] = c.match(/[\d.]+/g).map(Number); return (r + g + b) / 3; })`
	for scheme_, dark := range map[string]bool{"light": false, "dark": true} {
		b.scheme(scheme_)
		paper := eval[float64](b, bright+`(getComputedStyle(document.body).backgroundColor)`)
		ink := eval[float64](b, bright+`(getComputedStyle(document.body).color)`)
		if dark != (paper < 80) || dark == (ink < 128) || paper-ink < 100 && ink-paper < 100 {
			t.Errorf("%s: brightness of paper %.0f, of ink %.0f", scheme_, paper, ink)
		}
	}
	b.scheme("light")

	// a phone: nothing is wider than the screen, the mesh is seen, text is not tiny
	b.do(chromedp.EmulateViewport(375, 740, chromedp.EmulateScale(2)), chromedp.Navigate("file://"+report+"#frame=4"))
	b.until("window.fdem && fdem.shown === 3")
	b.until("document.documentElement.scrollWidth <= 375") // once the plots have been fitted to the screen
	if wide := eval[int](b, `(() => { document.getElementById("field").append(new Option("a field with a long name ".repeat(4))); return document.documentElement.scrollWidth; })()`); wide > 375 {
		t.Errorf("a long name of a field makes the page %d pixels wide", wide)
	}
	canvas := eval[[]float64](b, "(r => [r.top, r.width, r.height])(document.getElementById('canvas').getBoundingClientRect())")
	if canvas[0] > 500 || canvas[1] < 300 || canvas[2] < 250 {
		t.Errorf("on a phone the mesh begins at %g and is %g by %g pixels", canvas[0], canvas[1], canvas[2])
	}
	if small := eval[float64](b, "Math.min(...[...document.querySelectorAll('label, button, td, dd')].map(e => parseFloat(getComputedStyle(e).fontSize)))"); small < 11 {
		t.Errorf("on a phone the smallest text has %g pixels", small)
	}
	// held in landscape: the mesh stands beside the scale, as large as the height allows
	b.do(chromedp.EmulateViewport(844, 390, chromedp.EmulateScale(2)), chromedp.Navigate("file://"+report+"#frame=4"))
	b.until("window.fdem && fdem.shown === 3")
	if seen := eval[float64](b, "(() => { const m = fdem.mesh, [, y0, , y1] = m.box(), [x0, , x1] = m.box(); return Math.max((y1 - y0) * m.view.scale / m.canvas.clientHeight, (x1 - x0) * m.view.scale / m.canvas.clientWidth) })()"); seen < 0.5 {
		t.Errorf("on a phone held across the mesh takes %g of the picture", seen)
	}
	b.silent()
}

// The manual's formulas become MathML without a mistake, and no page has an
// error.
func TestManualInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	out := t.TempDir()
	build := exec.Command("go", "run", "./docs/build", "-verify=false", "-o", out)
	build.Dir = "../.."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	for _, page := range pages {
		b.do(chromedp.Navigate("file://" + page))
		b.until("document.readyState === 'complete'")
		if bad := eval[string](b, `[...document.querySelectorAll(".temml-error")].map(e => e.textContent).join("; ")`); bad != "" {
			t.Errorf("%s: %s", page, bad)
		}
		if got, want := eval[int](b, `document.querySelectorAll(".math > math").length`), eval[int](b, `document.querySelectorAll(".math").length`); got != want {
			t.Errorf("%s: %d of %d formulas are set", page, got, want)
		}
		if broken := eval[string](b, `[...document.images].filter(i => i.loading !== "lazy" && !i.naturalWidth).map(i => i.src).join("; ")`); broken != "" {
			t.Errorf("%s: pictures that do not load: %s", page, broken)
		}
	}
	for _, page := range []string{"theory.html", "laws.html"} {
		b.do(chromedp.Navigate("file://" + filepath.Join(out, page)))
		b.until(`document.querySelectorAll(".math > math").length >= 30`)
	}
	b.silent()
}

// checkChase follows the fragment of the last triangle from one frame to another: it
// stays where it is on the screen.
func checkChase(b *browser) {
	b.t.Helper()
	eval[int](b, `(() => {
		const t = fdem.mesh.count - 1;
		fdem.state.pin = { triangle: t, node: fdem.mesh.tri[3 * t], contact: -1, centre: true };
		document.getElementById("chase").click();
		return 0;
	})()`)
	const middle = `(() => {
		const m = fdem.mesh, number = fdem.pictures.values, mine = number[fdem.state.pin.triangle];
		let x = 0, y = 0, n = 0;
		for (let t = 0; t < number.length; t++) if (number[t] === mine) { const p = m.middle(t); x += p[0]; y += p[1]; n++; }
		return [...m.screen(x / n, y / n), m.view.x, m.view.y];
	})()`
	b.until("fdem.state.pin && fdem.pictures.fragment")
	before := eval[[]float64](b, middle)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.until("fdem.shown === +document.getElementById('time').max - 1")
	after := eval[[]float64](b, middle)
	if math.Hypot(before[0]-after[0], before[1]-after[1]) > 0.5 || before[2] == after[2] && before[3] == after[3] {
		b.t.Errorf("the fragment that is followed went from %v to %v", before, after)
	}
}
