package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Sections, values over time, files and the address of the page. A block of steel is pulled
// at its top and held at its bottom: the stress along it is the load, and a displacement in
// the middle half of that at the top.
func TestPageToolsInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	dir := model(t, `
mesh = "block.msh"
[analysis]
type = "static"
increments = 4
[output]
fields_every = 0.25
[[material]]
name = "steel"
young = "200 GPa"
poisson = 0.0
density = "7800 kg/m3"
[[body]]
name = "block"
material = "steel"
[[fix]]
on = "bottom"
[[load]]
on = "top"
pressure = "-2 MPa"
`, "")
	shapes := filepath.Join(dir, "block.shapes.toml")
	if err := os.WriteFile(shapes, []byte("edge = \"5 mm\"\n[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [\"20 mm\", \"40 mm\"]\nbottom = \"bottom\"\ntop = \"top\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "mesh", shapes, "-o", filepath.Join(dir, "block.msh"))
	succeed(t, "run", filepath.Join(dir, "small.toml"), "--quiet")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "report", filepath.Join(dir, "small.out"), "-o", report)
	for _, flags := range [][]string{nil, {"disable-3d-apis"}} {
		b := newBrowser(t, flags...)
		b.do(chromedp.EmulateViewport(1400, 900), chromedp.Navigate("file://"+report+"#frame=5&magnify=1&colour=displacement"))
		b.until("window.fdem && fdem.shown === 4")

		// on a desk the picture takes what the window has, and the rest scrolls beside it
		size := eval[[]float64](b, "(r => [r.width, r.height, document.documentElement.scrollHeight])(document.getElementById('stage').getBoundingClientRect())")
		if size[0] < 800 || size[1] < 550 || size[2] > 900 {
			t.Errorf("the picture has %g by %g pixels of 1400 by 900, and the page is %g high", size[0], size[1], size[2])
		}

		// a section by two clicks along the middle: the displacement grows evenly
		press(b, "section")
		for _, y := range []float64{-0.019, 0.019} {
			at := b.at(0, y)
			b.do(chromedp.MouseClickXY(at[0], at[1]))
		}
		b.until("fdem.tools.section")
		share := eval[[]float64](b, "((p, v) => [p.x.values.at(-1), v[0], v.at(-1), Math.max(...v)])(fdem.tools.section, fdem.tools.section.lines[0].values)")
		if most := 2e6 / 200e9 * 0.04; math.Abs(share[0]-0.038) > 3e-4 || math.Abs(share[2]-0.975*most) > 0.02*most || math.Abs(share[1]-0.025*most) > 0.02*most {
			t.Errorf("the section is %g m long, with displacements of %g and %g m at its ends, want 0.038, %g and %g", share[0], share[1], share[2], 0.025*most, 0.975*most)
		}
		csv := eval[string](b, "csvOf([{ label: 'distance, m', values: fdem.tools.section.x.values }, { label: 'u', values: fdem.tools.section.lines[0].values }]).slice(0, 18)")
		if csv != "\"distance, m\",u\n0," {
			t.Errorf("CSV begins with %q", csv)
		}

		// values over time at a node that is kept in view
		at := b.at(0, 0.0199)
		b.do(chromedp.MouseClickXY(at[0], at[1]))
		press(b, "overtime")
		b.until("fdem.tools.time")
		over := eval[[]float64](b, "fdem.tools.time.lines[0].values.map(v => v / fdem.tools.time.lines[0].values[4])")
		for i, v := range over {
			if math.Abs(v-float64(i)/4) > 1e-5 { // the strain, by which the block is no longer linear
				t.Errorf("displacement in frame %d: %g of that at the end", i, v)
			}
		}

		// the address brings all of it back
		eval[int](b, "(fdem.mesh.zoom(2), 0)")
		press(b, "link")
		address := eval[string](b, "location.hash")
		before := eval[[]float64](b, "[fdem.mesh.view.x, fdem.mesh.view.y, fdem.mesh.view.scale, ...fdem.tools.line.flat(), fdem.state.pin.node]")
		if now := eval[string](b, "document.getElementById('now').textContent"); !strings.HasPrefix(address, "#frame=5&") || !strings.Contains(now, "(5 of ") {
			t.Errorf("the address %s of %s", address, now)
		}
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+report+address))
		b.until("window.fdem && fdem.shown === 4 && fdem.tools.section && fdem.state.pin")
		after := eval[[]float64](b, "[fdem.mesh.view.x, fdem.mesh.view.y, fdem.mesh.view.scale, ...fdem.tools.line.flat(), fdem.state.pin.node]")
		for i := range before {
			if math.Abs(after[i]-before[i]) > 1e-5*math.Abs(before[i])+1e-9 {
				t.Errorf("%s brings back %v, want %v", address, after, before)
				break
			}
		}

		// a rigid body is filled, whether it is convex or not
		if cut := eval[int](b, "ears(new Float32Array([0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2]), [0, 1, 2, 3, 4, 5]).length"); cut != 12 {
			t.Errorf("an angle with six corners is cut into %d/3 triangles, want 4", cut)
		}

		// pictures: as many pixels as on the screen, not of one colour; triangles in the SVG
		colours := eval[float64](b, "(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)(fdem.tools.composed())")
		if colours < 20 {
			t.Errorf("the picture has %g colours", colours)
		}
		eval[int](b, "(window.kept = [], keep = (name, data) => kept.push([name, data]), 0)")
		press(b, "svg")
		if n := eval[float64](b, "kept[0][1].split('<path').length - 1"); n < 20 {
			t.Errorf("the SVG has %g triangles", n)
		}
		press(b, "film")
		b.until("kept.length > 1")
		if name, size := eval[string](b, "kept[1][0]"), eval[float64](b, "kept[1][1].size"); name != "small-out.webm" || size < 500 {
			t.Errorf("the film is %s with %g bytes", name, size)
		}
		b.silent()
	}
}

// Several runs: their histories are drawn together, in a report, too, and side by side they show the
// same time.
func TestPageOfSeveralRuns(t *testing.T) {
	t.Parallel()
	withAll(t)
	short, long := collided(t, "20 us"), collided(t, "40 us")
	report := filepath.Join(t.TempDir(), "report.html")
	succeed(t, "report", short, long, "-o", report)
	url, _ := startView(t, short, long)
	b := newBrowser(t)
	for _, page := range []string{url, "file://" + report} {
		b.do(chromedp.Navigate(page))
		b.until("window.fdem && fdem.shown >= 0 && fdem.plots.length > 0")
		got := eval[[]float64](b, "(p => [p.lines.length, p.x.values.at(-1), p.lines[0].values.at(-1), p.lines[1].values.at(-1), p.lines[1].dash])(fdem.plots[0])")
		if int(got[0])%2 != 0 || math.Abs(got[1]-40e-6) > 1e-9 || !math.IsNaN(got[2]) && got[2] != 0 || got[4] != 1 {
			t.Errorf("%s draws %v", page, got)
		}
	}
	both := filepath.Join(t.TempDir(), "both.html")
	succeed(t, "report", short, long, "--beside", "-o", both)
	succeed(t, "report", short, long, "--beside", "-o", both) // replaces its own
	for _, page := range []string{url + "beside", "file://" + both} {
		b.do(chromedp.Navigate(page))
		b.until("window[0]?.fdem?.shown >= 0 && window[1]?.fdem?.shown >= 0")
		eval[int](b, "(f => { f.document.getElementById('time').value = 2; f.document.getElementById('time').dispatchEvent(new Event('input', { bubbles: true })); return 0; })(window[0])")
		b.until("window[0].fdem.shown === 2 && window[1].fdem.shown === 2")
	}
	b.silent()
}

// at returns where on the screen a position of the model is drawn, from the model's middle [m].
func (b *browser) at(x, y float64) []float64 {
	b.t.Helper()
	return eval[[]float64](b, fmt.Sprintf(`(() => { const r = document.getElementById("canvas").getBoundingClientRect(), p = fdem.mesh.screen(%v, %v); return [p[0] + r.left, p[1] + r.top]; })()`, x, y))
}

// press presses a button of the page.
func press(b *browser, id string) {
	b.t.Helper()
	eval[int](b, fmt.Sprintf("(document.getElementById(%q).click(), 0)", id))
}
