//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fdem/io/history"
	"fdem/io/vtk"

	"github.com/expr-lang/expr"
)

// everyday holds the models of a user's first days, each with a known answer.
const everyday = "../../testdata/everyday"

// inShort are the models of a -short run: a blow, statics, friction, spheres.
var inShort = []string{"bar_wall_steel", "kostek_box", "slide_down", "two_blocks_joint_floor"}

// ofEachKind are the models that run without -all, beside those: spheres, beams, clamps, hinges,
// springs, ties, drives, rigid bodies, wheels and statics of these, one or two each.
var ofEachKind = []string{
	"ball_on_block", "beam_clamped_block", "beam_gerber", "beam_on_springs", "beam_strut_buckles", "cable_goes_slack", "drive_pulls_bar",
	"lever_roller", "oblique_slide", "rest_block_static", "rigid_disc_bounces", "spring_decays", "three_discs_bend", "tied_bar_wave", "wedge_in_notch", "wheels_spun_up",
}

// patient are the models that take longest, each with a quicker model of its kind among the others;
// they run with -twice, which .ci/long sets.
var patient = []string{
	"ball_over_ten_edges", "ball_slides_down_mesh", "balls_in_box", "block_pulled_from_under", "brick_pyramid", "bullet_copper_aluminium",
	"cantilever_hit", "disc_pressed_static", "discs_in_box", "drop_undamped_long", "ellipse_rocks", "grains_on_beam", "half_block_rests",
	"hammer_moving_wall", "incline_rests_undamped", "pendulum_hits_stop", "plank_on_free_rollers", "press_disc_auto_in_time", "puck_in_bowl",
	"ring_drop_rubber", "ring_platen_static", "slide_to_stop", "stack_five_sizes", "stack_undamped", "strips_left_right", "strips_lie_loose",
	"table_tilts", "valley_rolling", "wedge_spreads_blocks", "wheel_100m_rolls", "wheel_at_step",
	"block_drawn_out", "brake_shoe", "capstan", "drive_rubs_wheel", "hopper_bends", "jelly_on_steel", "ladder_slides",
	"leaning_stack", "long_rest", "peg_in_hole", "press_disc_auto", "puck_joint_k30", "slide_down_k100", "tilted_block_rounded",
	"arch_falls", "block_in_corner_rests", "drop_steel_k100", "gears_18_27", "grains_rest_on_smooth_floor", "landslide_1km", "slide_over_joint", "spin_disc_floor",
}

// expectation is what expect.json says of a model.
type expectation struct {
	About  string
	Limit  float64 `json:"limit_s"` // of wall time [s]
	Checks []answer
	// Stiffness says what holds instead where contacts are so many times as stiff, by
	// that number.
	Stiffness map[string]deviation
}

// deviation is what a model does instead of its answers.
type deviation struct {
	Reason  string
	Checks  []answer // in place of those of their names, of the same value where they have none
	Stops   string   // what a run says that ends with an error
	Patient bool     // takes longer than a test may: left out
}

// answer is one number that a run must have: expected within abs + rel*|expected|, or between
// min and max where there is no expected. A NaN never holds.
type answer struct {
	Name, Value, Reason string
	Expected, Min, Max  *float64
	Abs, Rel            float64
}

// judge says whether a value holds, and what was asked.
func (c answer) judge(v float64) (holds bool, asked string) {
	if c.Expected != nil {
		tolerance := c.Abs + c.Rel*math.Abs(*c.Expected)
		return math.Abs(v-*c.Expected) <= tolerance, fmt.Sprintf("%.5g +- %.2g", *c.Expected, tolerance)
	}
	holds = true
	if c.Min != nil {
		holds, asked = v >= *c.Min, fmt.Sprintf("at least %.5g", *c.Min)
	}
	if c.Max != nil {
		holds = holds && v <= *c.Max
		asked = strings.TrimPrefix(fmt.Sprintf("%s and at most %.5g", asked, *c.Max), " and ")
	}
	return holds, asked
}

// Every model ends well and gives its answer; with every eighth and those of a -short run, and with all where -twice is
// set, two workers write the same history as one, stopped after a third of it and resumed; they
// write all frames, which change no history.
func TestEveryday(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(everyday, "*", "expect.json"))
	if err != nil || len(paths) < 51 {
		t.Fatalf("%d models, %v", len(paths), err)
	}
	for _, name := range slices.Concat(inShort, ofEachKind, patient) {
		if !exists(filepath.Join(everyday, name, "expect.json")) {
			t.Errorf("there is no model %s", name)
		}
	}
	for i, path := range paths {
		name := filepath.Base(filepath.Dir(path))
		if testing.Short() && !slices.Contains(inShort, name) || !*twice && slices.Contains(patient, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !*twice && !slices.Contains(inShort, name) && !slices.Contains(ofEachKind, name) {
				withAll(t)
			}
			tryEveryday(t, filepath.Dir(path), *twice || slices.Contains(inShort, name) || i%8 == 0)
		})
	}
}

// unpacked copies a model, makes its mesh, and returns the copy and what is expected of it.
func unpacked(t *testing.T, model string) (dir string, e expectation) {
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(model)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&e); err != nil || e.About == "" || e.Limit <= 0 || len(e.Checks) == 0 {
		t.Fatalf("expect.json needs about, limit_s and checks: %v", err)
	}
	if shapes := filepath.Join(dir, "model"+shapesSuffix); exists(shapes) {
		succeed(t, "mesh", shapes)
	}
	return dir, e
}

// answers runs a deck, whose contacts are so many times as stiff as the model's, by one worker
// and returns whether it ended well, and what does not hold. The run writes its first and last
// frames only: a hundred take longer than most models.
func (e *expectation) answers(t *testing.T, deck, out string, limit, stiffness float64) (ended bool, wrong []string) {
	status, said := timed(t, time.Duration(limit*float64(time.Second)), "run", deck, "--threads", "1", "-o", out, "--set", "output.fields_every=0")
	if status != exitDone {
		wrong = append(wrong, fmt.Sprintf("exit status %d: %s", status, lastLine(said)))
	}
	r, err := readOutcome(out)
	if err != nil {
		return false, append(wrong, err.Error())
	}
	r.stiffness = stiffness
	for _, c := range e.Checks {
		v, err := r.evaluate(c.Value)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", c.Name, err))
			continue
		}
		if holds, asked := c.judge(v); holds {
			t.Logf("%s is %.5g (%s)", c.Name, v, asked)
		} else {
			wrong = append(wrong, fmt.Sprintf("%s is %.5g, want %s: %s", c.Name, v, asked, c.Reason))
		}
	}
	return status == exitDone, wrong
}

// tryEveryday runs a model, and once more if it is to be stopped and resumed.
func tryEveryday(t *testing.T, model string, again bool) {
	dir, e := unpacked(t, model)
	for _, c := range e.Checks {
		if c.Expected == nil && c.Min == nil && c.Max == nil || c.Reason == "" {
			t.Errorf("%s asks for nothing, or says no reason", c.Name)
		}
	}
	deck := filepath.Join(dir, "model.toml")
	one, two := filepath.Join(dir, "one.out"), filepath.Join(dir, "two.out")
	limit := time.Duration(e.Limit * float64(time.Second))
	ended, wrong := e.answers(t, deck, one, e.Limit, 1)
	for _, w := range wrong {
		t.Error(w)
	}
	if !ended || !again {
		return
	}

	want := rowsOf(t, one)
	if !terminated(t, deck, two, bytes.Count(want, []byte("\n"))/3) {
		if !bytes.Equal(rowsOf(t, two), want) {
			t.Error("two workers write another history")
		}
		for _, newer := range list(t, two)[:len(list(t, two))-1] {
			if err := os.Remove(newer); err != nil {
				t.Fatal(err)
			}
		}
	}
	if status, said := timed(t, 2*limit, "resume", two, "--threads", "2"); status != exitDone || !bytes.Equal(rowsOf(t, two), want) {
		t.Errorf("two workers, stopped and resumed, write another history, exit status %d: %s", status, lastLine(said))
	}
}

var (
	stiffnesses = flag.String("stiffness", "", "factors of the contacts' stiffness for TestEverydayStiffness, of all models: 0.1,10,100")
	twice       = flag.Bool("twice", false, "TestEveryday runs all models, and stops and resumes each")
	luck        = flag.Bool("luck", false, "runs TestEverydayLuck")
)

// telling are the models and factors that TestEverydayStiffness runs without -stiffness. They cover
// every kind of contact, law, friction and reason.
var telling = map[string][]string{
	"bar_wall_rubber": {"0.1"}, "beam_between_blocks": {"100"}, "drive_rubs_wheel": {"10"}, "drop_rubber_1mm": {"0.1", "100"},
	"gears_18_27": {"0.1"}, "half_block_rests": {"0.1", "10"}, "oblique_grip": {"10"}, "patch_one_sided": {"0.1"}, "press_fit_ring": {"100"}, "rigid_disc_bounces": {"10"}, "slide_over_joint": {"0.1"},
	"soft_pad": {"0.1", "100"}, "stiff_1_1e2_1e4": {"10"}, "two_blocks_joint_floor": {"10"}, "volume_mesh_rest": {"0.1", "100"},
}

// mostTelling are those of them that run without -all: a blow, one that cannot be computed, friction, statics.
var mostTelling = []string{"bar_wall_rubber", "gears_18_27", "oblique_grip", "two_blocks_joint_floor"}

// With softer and stiffer contacts the models have the same answers, or those that their list gives
// for that stiffness.
func TestEverydayStiffness(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(everyday, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path))
		factors := telling[name]
		if *stiffnesses != "" {
			factors = strings.Split(*stiffnesses, ",")
		}
		if testing.Short() {
			continue
		}
		for _, factor := range factors {
			by, err := strconv.ParseFloat(factor, 64)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name+"/"+factor, func(t *testing.T) {
				t.Parallel()
				if *stiffnesses == "" && !slices.Contains(mostTelling, name) {
					withAll(t)
				}
				dir, e := unpacked(t, filepath.Dir(path))
				deck := filepath.Join(dir, "model.toml")
				if !stiffen(t, deck, by) {
					t.Skip("no stiffness")
				}
				out := filepath.Join(dir, "out")
				listed, deviates := e.Stiffness[factor]
				if listed.Patient {
					t.Skip(listed.Reason)
				}
				if listed.Stops != "" {
					status, said := timed(t, time.Duration(10*e.Limit*float64(time.Second)), "run", deck, "--threads", "1", "-o", out)
					if status != exitFailed || !strings.Contains(said, listed.Stops) {
						t.Errorf("%s: exit status %d, want one that says %q: %s", listed.Reason, status, listed.Stops, lastLine(said))
					}
					return
				}
				instead := expectation{Checks: e.with(t, listed.Checks)}
				_, wrong := instead.answers(t, deck, out, 10*e.Limit, by)
				for _, w := range wrong {
					t.Error(w)
				}
				if deviates && len(wrong) == 0 && e.holds(out, by) {
					t.Errorf("%s holds all the same", listed.Reason)
				}
			})
		}
	}
}

// with returns the checks with others in place of those of their names.
func (e *expectation) with(t *testing.T, others []answer) []answer {
	checks := slices.Clone(e.Checks)
	for _, o := range others {
		i := slices.IndexFunc(checks, func(c answer) bool { return c.Name == o.Name })
		if i < 0 || o.Reason == "" {
			t.Fatalf("no check is called %q, or no reason is given", o.Name)
		}
		o.Value = cmp.Or(o.Value, checks[i].Value)
		checks[i] = o
	}
	return checks
}

// holds tells whether a run has all answers.
func (e *expectation) holds(out string, stiffness float64) bool {
	r, err := readOutcome(out)
	r.stiffness = stiffness
	for _, c := range e.Checks {
		v, failed := r.evaluate(c.Value)
		if holds, _ := c.judge(v); !holds || failed != nil || err != nil {
			return false
		}
	}
	return true
}

var (
	hasThickness = regexp.MustCompile(`(?m)^(thickness *= *"?)([0-9.e+-]+)`)
	isAnalysed   = regexp.MustCompile(`(?m)^\[analysis\]$`)
)

// No answer depends on chance: with all forces and masses greater by 1e-9, which changes every
// rounding, and with slightly shorter steps the answers are the same.
func TestEverydayLuck(t *testing.T) {
	if !*luck {
		t.Skip("no -luck")
	}
	paths, err := filepath.Glob(filepath.Join(everyday, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	thicker := func(by float64) func(deck string) string {
		return func(deck string) string {
			return hasThickness.ReplaceAllStringFunc(deck, func(s string) string {
				m := hasThickness.FindStringSubmatch(s)
				v, _ := strconv.ParseFloat(m[2], 64)
				return m[1] + strconv.FormatFloat(v*by, 'g', -1, 64)
			})
		}
	}
	shorter := func(safety string) func(deck string) string {
		return func(deck string) string {
			return isAnalysed.ReplaceAllString(deck, "[analysis]\nsafety = "+safety)
		}
	}
	for _, way := range []struct {
		name   string
		change func(deck string) string
	}{{"thicker", thicker(1 + 1e-9)}, {"thinner", thicker(1 - 1e-9)}, {"shorter steps", shorter("0.79")}, {"shorter still", shorter("0.7")}} {
		for _, path := range paths {
			t.Run(filepath.Base(filepath.Dir(path))+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				dir, e := unpacked(t, filepath.Dir(path))
				deck := filepath.Join(dir, "model.toml")
				text, err := os.ReadFile(deck)
				if err != nil {
					t.Fatal(err)
				}
				changed := way.change(string(text))
				if changed == string(text) || strings.Contains(changed, `"static"`) && strings.Contains(changed, "safety") {
					t.Skip("nothing to change")
				}
				if err := os.WriteFile(deck, []byte(changed), 0o600); err != nil {
					t.Fatal(err)
				}
				for i := range e.Checks {
					e.Checks[i].Rel += 1e-8 // what thickness belongs to
				}
				_, wrong := e.answers(t, deck, filepath.Join(dir, "out"), 2*e.Limit, 1)
				for _, w := range wrong {
					t.Error(w)
				}
			})
		}
	}
}

var (
	givenStiffness = regexp.MustCompile(`(?m)((?:^|[{,])\s*k(?:_f)?\s*=\s*"?)([0-9][0-9_.eE+-]*)`)
	lawIsNamed     = regexp.MustCompile(`(?m)^\s*law\s*=`)
)

// stiffen makes the linear laws of a deck so many times as stiff, and contacts without a law;
// false where there is none.
func stiffen(t *testing.T, deck string, by float64) bool {
	t.Helper()
	text, err := os.ReadFile(deck)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	changed := givenStiffness.ReplaceAllStringFunc(s, func(k string) string {
		m := givenStiffness.FindStringSubmatch(k)
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s%g", m[1], by*v)
	})
	if !lawIsNamed.MatchString(s) {
		changed = strings.ReplaceAll(s, "[[contact]]", "[[contact]]\nlaw = \"scaled\"")
		if changed != s {
			changed += fmt.Sprintf("\n[[law]]\nname = \"scaled\"\nmodel = \"linear\"\nk_factor = %g\n", by)
		}
	}
	if err := os.WriteFile(deck, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	return changed != s
}

// timed runs a command as a process of its own and returns its exit status, -1 past the limit,
// and what it said.
func timed(t *testing.T, limit time.Duration, args ...string) (status int, said string) {
	t.Helper()
	c := program(t, args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	defer context.AfterFunc(late, func() { _ = c.Process.Kill() })()
	var failed *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String()
}

// terminated starts a run of two workers and stops it by SIGTERM once its history has so many
// rows; false where it was over before.
func terminated(t *testing.T, deck, out string, rows int) bool {
	t.Helper()
	c := program(t, "run", deck, "--threads", "2", "--quiet", "-o", out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	t.Cleanup(func() { _ = c.Process.Kill() })
	wait(t, "a third of the history", func() bool {
		select {
		case <-ended:
			return true
		default:
			text, _ := os.ReadFile(filepath.Join(out, "history.csv"))
			return bytes.Count(text, []byte("\n")) >= rows
		}
	})
	_ = c.Process.Signal(syscall.SIGTERM) // none where it has ended
	<-ended
	status := c.ProcessState.ExitCode()
	if status != exitInterrupted && status != exitDone {
		t.Errorf("stopped by SIGTERM: exit status %d", status)
	}
	return status == exitInterrupted
}

// rowsOf returns the history of a results folder; nothing where there is none.
func rowsOf(t *testing.T, out string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "history.csv"))
	if err != nil {
		t.Error(err)
	}
	return text
}

// lastLine returns the last line that a program said.
func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return lines[len(lines)-1]
}

// outcome is what a run left, for the expressions of expect.json.
type outcome struct {
	dir     string
	past    history.Table
	summary map[string]any

	stiffness float64 // of the contacts over the model's
}

func readOutcome(dir string) (r outcome, err error) {
	r.dir = dir
	if r.past, err = history.Read(filepath.Join(dir, "history.csv")); err != nil {
		return r, err
	}
	if len(r.past.Rows) == 0 {
		return r, fmt.Errorf("%s: the history has no rows", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r.summary)
}

// evaluate computes an expression over the run; testdata/everyday/README.md says what it may
// call.
func (r outcome) evaluate(expression string) (float64, error) {
	env := map[string]any{
		"S": r.summary, "T": r.summary["time"], "K": r.stiffness, "pi": math.Pi, "sqrt": math.Sqrt, "cos": math.Cos,
		"col":        r.column,
		"last":       func(name string) (float64, error) { v, err := r.column(name); return v[len(v)-1], err },
		"first":      func(name string) (float64, error) { v, err := r.column(name); return v[0], err },
		"mx":         func(name string, window ...float64) (float64, error) { return r.extreme(1, name, window) },
		"mn":         func(name string, window ...float64) (float64, error) { return r.extreme(-1, name, window) },
		"at":         r.at,
		"integ":      r.integral,
		"mean":       r.mean,
		"rms":        r.rms,
		"first_time": func(name string, level float64) (float64, error) { return r.above(name, level, false) },
		"last_time":  func(name string, level float64) (float64, error) { return r.above(name, level, true) },
		"step0":      r.firstStep,
		"body":       func(name string) (map[string]any, error) { return r.named("bodies", name) },
		"contact":    func(name string) (map[string]any, error) { return r.named("contacts", name) },
		"mom":        r.momentum,
		"pressures":  r.pressures,
	}
	code, err := expr.Compile(expression, expr.Env(env), expr.AsFloat64())
	if err != nil {
		return 0, err
	}
	v, err := expr.Run(code, env)
	if err != nil {
		return 0, err
	}
	return v.(float64), nil
}

// column returns a column of the history; a single NaN with the error where there is none.
func (r outcome) column(name string) ([]float64, error) {
	v, ok := r.past.Column(name)
	if !ok {
		return []float64{math.NaN()}, fmt.Errorf("no column %q among %s", name, strings.Join(r.past.Columns, ", "))
	}
	return v, nil
}

// pair returns the times and a column.
func (r outcome) pair(name string) (times, values []float64, err error) {
	if times, err = r.column("time"); err != nil {
		return nil, nil, err
	}
	values, err = r.column(name)
	return times, values, err
}

// between returns the two ends of a window of time, all of it where they are not given.
func between(window []float64) (begin, end float64) {
	begin, end = math.Inf(-1), math.Inf(1)
	if len(window) > 0 {
		begin = window[0]
	}
	if len(window) > 1 {
		end = window[1]
	}
	return begin, end
}

// extreme returns the greatest value of a column in a window, the least where sign is -1.
func (r outcome) extreme(sign float64, name string, window []float64) (float64, error) {
	times, values, err := r.pair(name)
	if err != nil {
		return 0, err
	}
	begin, end := between(window)
	most := math.NaN()
	for i, t := range times {
		if begin <= t && t <= end && !(sign*values[i] <= sign*most) {
			most = values[i]
		}
	}
	return most, nil
}

// at returns a column at a time, linear in between.
func (r outcome) at(name string, time float64) (float64, error) {
	times, values, err := r.pair(name)
	if err != nil {
		return 0, err
	}
	for i := 1; i < len(times); i++ {
		if times[i] >= time {
			return values[i-1] + (time-times[i-1])/(times[i]-times[i-1])*(values[i]-values[i-1]), nil
		}
	}
	return values[len(values)-1], nil
}

// integral adds up a column over the intervals that end in a window, by trapezoids.
func (r outcome) integral(name string, window ...float64) (float64, error) {
	times, values, err := r.pair(name)
	if err != nil {
		return 0, err
	}
	begin, end := between(window)
	sum := 0.0
	for i := 1; i < len(times); i++ {
		if begin <= times[i] && times[i] <= end {
			sum += 0.5 * (values[i] + values[i-1]) * (times[i] - times[i-1])
		}
	}
	return sum, nil
}

// mean returns the mean of a column from the first to the last row of a window.
func (r outcome) mean(name string, window ...float64) (float64, error) {
	times, _, err := r.pair(name)
	if err != nil {
		return 0, err
	}
	begin, end := between(window)
	inside := slices.DeleteFunc(slices.Clone(times), func(t float64) bool { return t < begin || t > end })
	if len(inside) < 2 {
		return math.NaN(), nil
	}
	first, last := inside[0], inside[len(inside)-1]
	sum, err := r.integral(name, math.Nextafter(first, last), last)
	return sum / (last - first), err
}

// rms returns the root of the mean square of a column's rows in a window.
func (r outcome) rms(name string, window ...float64) (float64, error) {
	times, values, err := r.pair(name)
	begin, end := between(window)
	sum, n := 0.0, 0.0
	for i, t := range times {
		if begin <= t && t <= end {
			sum, n = sum+values[i]*values[i], n+1
		}
	}
	return math.Sqrt(sum / n), err
}

// above returns the first or last time at which a column is above a level, NaN where it never is.
func (r outcome) above(name string, level float64, last bool) (float64, error) {
	times, values, err := r.pair(name)
	found := math.NaN()
	for i, t := range times {
		if values[i] > level {
			found = t
			if !last {
				break
			}
		}
	}
	return found, err
}

// firstStep returns the time step of the start, as the log tells it [s].
func (r outcome) firstStep() (float64, error) {
	text, err := os.ReadFile(filepath.Join(r.dir, "log.txt"))
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`in steps of ([0-9.e+-]+) s`).FindSubmatch(text)
	if found == nil {
		return 0, errors.New("log.txt does not say the step")
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// named returns an entry of a list in the summary.
func (r outcome) named(list, name string) (map[string]any, error) {
	entries, _ := r.summary[list].([]any)
	for _, e := range entries {
		if m, ok := e.(map[string]any); ok && m["name"] == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("no %q among the %s of the summary", name, list)
}

// momentum returns the sum of a part, 0 or 1, of the momenta of bodies at the end [kg m/s].
func (r outcome) momentum(part int, names []any) (sum float64, err error) {
	for _, name := range names {
		b, err := r.named("bodies", name.(string))
		if err != nil {
			return 0, err
		}
		sum += b["momentum"].([]any)[part].(float64)
	}
	return sum, nil
}

// pressures returns the pressures of the contact nodes that touch in the last frame [Pa].
func (r outcome) pressures() ([]float64, error) {
	frames, err := vtk.ReadSeries(filepath.Join(r.dir, "contact.pvd"))
	if err != nil || len(frames) == 0 {
		return nil, fmt.Errorf("no frame of the contact nodes: %w", err)
	}
	file, err := vtk.Open(filepath.Join(r.dir, filepath.FromSlash(frames[len(frames)-1].File)))
	if err != nil {
		return nil, err
	}
	p, err := file.PointData("pressure")
	return slices.DeleteFunc(p.Float64, func(v float64) bool { return v <= 0 }), err
}
