package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fdem/examples/scenes"
	"fdem/io/gmsh"
	"fdem/mesh"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// What the page does for a frame of 200,000 triangles while it plays: asks for
// one drawing of them, hands the graphics card the displacements of the nodes
// and one number a triangle, makes nothing anew, and keeps its script well under
// a thirtieth of a second of processor time. The drawing itself is left out: it
// is the graphics card's, and without one Chromium's in software.
func TestPageOfManyTriangles(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	const nx, ny, frames = 448, 224, 7
	dir := t.TempDir()
	src := &mesh.Source{}
	scenes.Block(src, "plate", r2.Vec{}, 0, 0.448, 0.224, nx, ny)
	f, err := os.Create(filepath.Join(dir, "plate.msh"))
	if err != nil {
		t.Fatal(err)
	}
	if err := gmsh.Write(f, src); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	deck := fmt.Sprintf(`
[analysis]
duration = "%d us"
thickness = "1 mm"
[output]
fields_every = "1 us"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[body]]
name = "plate"
material = "steel"
angular_velocity = "1000 rad/s"
`, frames-1)
	if err := os.WriteFile(filepath.Join(dir, "plate.toml"), []byte(deck), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "run", filepath.Join(dir, "plate.toml"), "--quiet")
	url, _ := startView(t, filepath.Join(dir, "plate.out"))
	b.do(chromedp.Navigate(url + "#frame=1"))
	b.until("window.fdem && fdem.shown === 0")
	eval[int](b, `(() => {
		const gl = WebGL2RenderingContext.prototype, n = window.counted = { draws: 0, bytes: 0, made: 0 };
		const watch = (name, note) => { const f = gl[name]; gl[name] = function (...a) { note(a); return f.apply(this, a); }; };
		for (const name of ["drawArrays", "drawElements"]) gl[name] = () => { n.draws++; };
		for (const name of ["texSubImage2D", "bufferSubData", "bufferData", "texImage2D"]) watch(name, a => { n.bytes += a.at(-1)?.byteLength || a.at(-2)?.byteLength || 0; });
		for (const name of ["createBuffer", "createTexture", "createVertexArray", "texStorage2D"]) watch(name, () => n.made++);
		return 0;
	})()`)
	b.choose("speed", "60/s")
	eval[int](b, `(document.getElementById("play").click(), 0)`)
	b.until(fmt.Sprintf("fdem.mesh.drawn > %d", 2*frames)) // every frame has come from the server
	script := b.script()
	began := time.Now()
	start := eval[int](b, "(Object.assign(counted, { draws: 0, bytes: 0, made: 0 }), fdem.mesh.drawn)")
	b.until(fmt.Sprintf("fdem.mesh.drawn > %d", start+40))
	// All at one moment: the page goes on drawing meanwhile.
	counts := eval[map[string]float64](b, "({ ...counted, drawn: fdem.mesh.drawn })")
	took, script := time.Since(began), b.script()-script
	drawn := counts["drawn"] - float64(start)
	per := func(what string) float64 { return counts[what] / drawn }
	t.Logf("%d triangles: %.0f frames at %.1f a second, each %.1f ms of script, %.1f draw calls, %.2f MB uploaded",
		2*nx*ny, drawn, drawn/took.Seconds(), 1e3*script/drawn, per("draws"), per("bytes")/1e6)
	if calls := per("draws"); calls > 2.5 {
		t.Errorf("%g draw calls a frame, want one of the triangles and one of the outlines", calls)
	}
	row := 2048.0 // a texture is filled by whole rows
	if bytes, want := per("bytes"), 8*((nx+1)*(ny+1)+row)+4*(2*nx*ny+row); bytes > 1.15*want {
		t.Errorf("%g bytes a frame go to the graphics card, want %g", bytes, want)
	}
	if made := per("made"); made > 0 {
		t.Errorf("%g buffers and textures are made anew a frame", made)
	}
	if ms := 1e3 * script / drawn; ms > 33 {
		t.Errorf("a frame takes %g ms of script, a thirtieth of a second has 33", ms)
	}
}

// script returns the processor time that scripts of the page have taken [s].
func (b *browser) script() float64 {
	b.t.Helper()
	found := 0.0
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
			return err
		}
		r, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		for _, m := range r.Metrics {
			if m.Name == "ScriptDuration" {
				found = m.Value
			}
		}
		return err
	}))
	return found
}
