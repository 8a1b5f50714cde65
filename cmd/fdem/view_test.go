package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fdem/io/vtk"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	touch "github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

// browser is a headless Chromium with one page.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // of the console
}

// chromiums are the Chromiums that run, by their flags: to start one takes seconds of the
// processor, and each test has a tab of its own.
var (
	chromiums      = map[string]context.Context{}
	closeChromiums = func() {} // ends them, behind all tests
	chromiumsHeld  sync.Mutex  // tests run side by side
)

// chromiumOf returns the Chromium with some flags.
func chromiumOf(t *testing.T, path string, flags []string) context.Context {
	t.Helper()
	chromiumsHeld.Lock()
	defer chromiumsHeld.Unlock()
	key := strings.Join(flags, " ")
	if running := chromiums[key]; running != nil {
		return running
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("enable-unsafe-swiftshader", true)) // WebGL without a graphics card
	for _, f := range flags {
		options = append(options, chromedp.Flag(f, true))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	running, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(running); err != nil {
		t.Fatal(err)
	}
	chromiums[key] = running
	before := closeChromiums
	closeChromiums = func() { cancel(); stop(); before() }
	return running
}

// newBrowser opens a tab of a Chromium, and skips the test where none is installed. flags are
// further ones of Chromium that are set.
func newBrowser(t *testing.T, flags ...string) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("takes a browser and a simulation")
	}
	path := ""
	// The first program has no window and takes half of the processor time. The others draw an
	// unseen one.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed (Debian: chromium-headless-shell)")
	}
	ctx, cancel := chromedp.NewContext(chromiumOf(t, path, flags))
	t.Cleanup(cancel)
	b := &browser{t: t}
	err := chromedp.Listen(ctx, func(event any) {
		text := ""
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			if e.Type == "error" || e.Type == "warning" {
				text = fmt.Sprint(e.Type)
				for _, a := range e.Args {
					text += " " + string(a.Value)
				}
			}
		case *runtime.EventExceptionThrown:
			text = e.ExceptionDetails.Text
		case *log.EventEntryAdded:
			if e.Entry.Level == "error" {
				text = e.Entry.Text + " " + e.Entry.URL
			}
		}
		if text != "" {
			b.mu.Lock()
			b.errors = append(b.errors, text)
			b.mu.Unlock()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	limited, end := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(end)
	b.ctx = limited
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		return err
	}), chromedp.EmulateViewport(1200, 850))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression.
func eval[T any](b *browser, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits for an expression to hold.
func (b *browser) until(js string) {
	b.t.Helper()
	for range 400 {
		holds, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+js+")", chromedp.EvalAwaitPromise))
		if err != nil && !strings.Contains(err.Error(), "navigated") { // a page that is loaded anew has no answer
			b.t.Fatalf("%s: %v", js, err)
		}
		if holds && err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("%s does not come true; the page says %q, the console %q", js, eval[string](b, `document.getElementById("message").textContent`), b.console())
}

func (b *browser) console() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.errors...)
}

// silent fails if the console has a message.
func (b *browser) silent() {
	b.t.Helper()
	if said := b.console(); len(said) > 0 {
		b.t.Errorf("the console says %q", said)
	}
}

// scheme makes the page "light" or "dark".
func (b *browser) scheme(value string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
		return err
	}))
}

// tap touches a point of the screen with a finger.
func (b *browser) tap(x, y float64) {
	b.t.Helper()
	for _, e := range []touch.DispatchTouchEventParams{
		{Type: touch.DispatchTouchEventTypeTouchStart, TouchPoints: []*touch.TouchPoint{{X: x, Y: y}}},
		{Type: touch.DispatchTouchEventTypeTouchEnd, TouchPoints: []*touch.TouchPoint{}},
	} {
		b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, touch.DispatchTouchEvent, e)
			return err
		}))
	}
}

// slide goes to a frame by the slider.
func (b *browser) slide(frame int) {
	b.t.Helper()
	eval[int](b, fmt.Sprintf(`(e => { e.value = %d; e.dispatchEvent(new Event("input", { bubbles: true })); return 0; })(document.getElementById("time"))`, frame))
	b.until(fmt.Sprintf("fdem.shown === %d", frame))
}

// choose picks the option of a select by its text.
func (b *browser) choose(id, text string) {
	b.t.Helper()
	eval[int](b, fmt.Sprintf(`(e => { e.value = [...e.options].find(o => o.text === %q).value; e.dispatchEvent(new Event("change", { bubbles: true })); return 0; })(document.getElementById(%q))`, text, id))
	b.until("fdem.shown >= 0")
}

// picture is what the mesh's canvas shows.
func (b *browser) picture() image.Image {
	b.t.Helper()
	time.Sleep(200 * time.Millisecond) // the next picture is drawn
	data, err := chromedp.Run(b.ctx, chromedp.Screenshot(chromedp.CSS("#canvas")))
	if err != nil {
		b.t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return img
}

// differing counts the pixels in which two pictures differ.
func differing(p, q image.Image) int {
	n := 0
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			if p.At(x, y) != q.At(x, y) {
				n++
			}
		}
	}
	return n
}

// pointAt points at a position of the model and returns what the page reads
// there.
func (b *browser) pointAt(x, y float64, frame int) map[string]string {
	b.t.Helper()
	eval[int](b, `(document.getElementById("values").dataset.frame = "", 0)`)
	for k := 0; ; k++ { // the text that is shown may move the picture
		at := eval[[]float64](b, fmt.Sprintf(`(() => { const r = document.getElementById("canvas").getBoundingClientRect(), p = fdem.mesh.screen(%v, %v); return [p[0] + r.left, p[1] + r.top]; })()`, x, y))
		b.do(chromedp.MouseEvent("mouseMoved", at[0]+1, at[1]), chromedp.MouseEvent("mouseMoved", at[0], at[1]), chromedp.Sleep(300*time.Millisecond))
		if eval[bool](b, fmt.Sprintf(`document.getElementById("values").dataset.frame === "%d"`, frame)) {
			break
		}
		if k == 40 {
			b.t.Fatalf("nothing is read at (%g, %g), %v on the screen", x, y, at)
		}
	}
	return eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll("#values dd[data-name]")].map(e => [e.dataset.name, e.dataset.value]))`)
}

// same compares what the page says with numbers of a file, which it holds as
// float32.
func same(t *testing.T, what, said string, want ...float64) {
	t.Helper()
	parts := strings.Fields(said)
	if len(parts) != len(want) {
		t.Errorf("%s: %q, want %g", what, said, want)
		return
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || float32(v) != float32(want[i]) {
			t.Errorf("%s: %q, want %g", what, said, want)
		}
	}
}

// The page in a real browser: the elastic collision by `fdem view` and by
// `fdem report` moves, is free of errors, and shows the numbers of the files
// under the pointer.
func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	dir := collided(t, "60 us")
	report := filepath.Join(dir, "report.html")
	succeed(t, "report", dir)
	url, stop := startView(t, dir)
	for _, page := range []string{url, "file://" + report} {
		b.do(chromedp.Navigate(page + "#frame=1&magnify=1"))
		b.until("window.fdem && fdem.shown === 0")
		checkPage(t, b, dir, "blasted steel")
	}
	b.do(chromedp.Navigate(url))
	b.until("window.fdem && fdem.shown > 0")
	b.silent()
	eval[int](b, `(console.error("heard"), 0)`)
	if said := b.console(); len(said) == 0 {
		t.Error("an error on the console is not heard")
	}
	stop()
	b.until(`/ended/.test(document.getElementById("message").textContent)`)
}

// openFrame opens a frame and decodes its points.
func openFrame(t *testing.T, path string) (*vtk.File, []r2.Vec) {
	t.Helper()
	f, err := vtk.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	points, err := f.Positions()
	if err != nil {
		t.Fatal(err)
	}
	return f, points
}

// array decodes what a frame holds under a name, of points or of cells.
func array(t *testing.T, f *vtk.File, name string) vtk.Array {
	t.Helper()
	if a, err := f.PointData(name); err == nil {
		return a
	}
	a, err := f.CellData(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// checkPage holds the page of a run against its files; of is a text of its
// deck.
func checkPage(t *testing.T, b *browser, dir, of string) {
	t.Helper()
	const frame = 6
	grid, nodes := openFrame(t, filepath.Join(dir, "fields", fmt.Sprintf("%06d.vtu", frame)))
	triangles, _, err := grid.Elements()
	if err != nil {
		t.Fatal(err)
	}
	moved, velocity := array(t, grid, "displacement").Float64, array(t, grid, "velocity").Float64
	mises, element := array(t, grid, "von_mises").Float64, array(t, grid, "element_id").Int64
	nodeID := array(t, grid, "node_id").Int64
	b.choose("scale", "whole run")
	before := b.picture()
	b.slide(frame)
	after := b.picture()
	if n := differing(before, after); n < 1000 {
		t.Errorf("after sliding, %d pixels changed", n)
	}
	lo, hi := nodes[0], nodes[0]
	for _, p := range nodes {
		lo.X, lo.Y, hi.X, hi.Y = min(lo.X, p.X), min(lo.Y, p.Y), max(hi.X, p.X), max(hi.Y, p.Y)
	}
	cx, cy := 0.5*(lo.X+hi.X), 0.5*(lo.Y+hi.Y)
	for k := range 5 {
		i := (2*k + 1) * len(triangles) / 10
		x, y := -cx, -cy
		for _, n := range triangles[i] {
			x += (nodes[n].X + moved[3*n]) / 3
			y += (nodes[n].Y + moved[3*n+1]) / 3
		}
		got := b.pointAt(x, y, frame)
		same(t, "element under the pointer", got["element"], float64(element[i]))
		same(t, "von Mises stress", got["von_mises"], mises[i])
		found := false
		for _, n := range triangles[i] {
			if got["node"] == strconv.FormatInt(nodeID[n], 10) {
				found = true
				same(t, "displacement", got["displacement"], moved[3*n], moved[3*n+1])
				same(t, "velocity", got["velocity"], velocity[3*n], velocity[3*n+1])
			}
		}
		if !found {
			t.Errorf("node %s is no corner of element %d", got["node"], element[i])
		}
	}
	// the contact pressure, in a frame that has some
	var points []r2.Vec
	var pressure, shift []float64
	pressed, most := 0, 0
	for len(pressure) == 0 || pressure[most] == 0 {
		pressed++
		var file *vtk.File
		file, points = openFrame(t, filepath.Join(dir, "contact", fmt.Sprintf("%06d.vtp", pressed)))
		pressure, shift = array(t, file, "pressure").Float64, array(t, file, "displacement").Float64
		for i, p := range pressure {
			if p > pressure[most] {
				most = i
			}
		}
	}
	b.slide(pressed)
	b.choose("field", "contact pressure")
	got := b.pointAt(points[most].X+shift[3*most]-cx, points[most].Y+shift[3*most+1]-cy, pressed)
	i, err := strconv.Atoi(got["contact"])
	if err != nil || i < 0 || i >= len(pressure) || math.Abs(float64(i-most)) > 20 {
		t.Fatalf("contact node %q under the pointer, want about %d", got["contact"], most)
	}
	same(t, "contact pressure", got["pressure"], pressure[i])
	if profile := eval[float64](b, "Math.max(...fdem.profile.plot.lines[0].values)"); float32(profile) != float32(pressure[most]) {
		t.Errorf("the profile peaks at %g, want %g", profile, pressure[most])
	}
	// a body switched off, and one zoomed to
	b.choose("field", "velocity")
	shown := b.picture()
	eval[int](b, `(document.querySelector("#bodies input").click(), 0)`)
	if n := differing(shown, b.picture()); n < 500 {
		t.Errorf("without a body, %d pixels changed", n)
	}
	eval[int](b, `(document.querySelector("#bodies input").click(), 0)`)
	b.do(chromedp.KeyEvent("+"))
	if n := differing(shown, b.picture()); n < 500 {
		t.Errorf("after zooming, %d pixels changed", n)
	}
	frames := eval[int](b, `(document.getElementById("play").click(), fdem.mesh.drawn)`)
	b.until(fmt.Sprintf("fdem.mesh.drawn > %d", frames+4))
	eval[int](b, `(document.getElementById("play").click(), 0)`)
	if message := eval[string](b, `document.getElementById("message").textContent`); message != "" {
		t.Errorf("the page says %q", message)
	}
	if text := eval[string](b, `document.getElementById("tables").textContent`); !strings.Contains(text, of) || !strings.Contains(text, "contact dissipated") {
		t.Error("deck or summary are missing in the tables")
	}
}

// A page opened on a run that goes on shows the frames as they come.
func TestPageFollowsARun(t *testing.T) {
	t.Parallel()
	withAll(t)
	b := newBrowser(t)
	from := model(t, small, smallMesh)
	succeed(t, "run", filepath.Join(from, "small.msh"), "--quiet")
	done, dir := filepath.Join(from, "small.out"), filepath.Join(t.TempDir(), "going")
	if err := os.CopyFS(dir, os.DirFS(done)); err != nil {
		t.Fatal(err)
	}
	// back to the time before the first frame
	for _, name := range []string{"summary.json", "fields.pvd", "contact.pvd"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	url, _ := startView(t, dir)
	b.do(chromedp.Navigate(url))
	b.until(`/running · waiting/.test(document.getElementById("status").textContent)`)
	frames, err := vtk.ReadSeries(filepath.Join(done, "fields.pvd"))
	if err != nil {
		t.Fatal(err)
	}
	fields, contact := vtk.Series{Path: filepath.Join(dir, "fields.pvd")}, vtk.Series{Path: filepath.Join(dir, "contact.pvd")}
	for i, v := range frames {
		if err := errors.Join(fields.Add(v.Time, v.File), contact.Add(v.Time, strings.NewReplacer("fields", "contact", "vtu", "vtp").Replace(v.File))); err != nil {
			t.Fatal(err)
		}
		if i == len(frames)-1 { // the last frame and the end come together, in a run's order
			if err := os.Link(filepath.Join(done, "summary.json"), filepath.Join(dir, "summary.json")); err != nil {
				t.Fatal(err)
			}
		}
		b.until(fmt.Sprintf("fdem.shown === %d", i))
	}
	b.until(`/^done/.test(document.getElementById("status").textContent)`)
	b.silent()
}

// startView runs `fdem view` and returns where it serves and how to end it.
func startView(t *testing.T, dirs ...string) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	in, out := io.Pipe()
	c := &cobra.Command{}
	c.SetOut(out)
	c.SetErr(os.Stderr)
	done := make(chan error, 1)
	go func() { done <- serve(ctx, c, dirs, 0, false) }()
	said := bufio.NewReader(in)
	line, err := said.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }() // a run that goes on has a second line
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("fdem view: %v", err)
		}
	})
	t.Cleanup(stop)
	return strings.Fields(line)[0], stop
}
