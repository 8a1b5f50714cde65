package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/io/history"
)

// newKind checks that the deck of newkind.md swings with the period of theory, and that bodies that separate are slowed
// as the page says.
func newKind(e *exercise, program string) {
	t, dir, run, write := e.t, e.dir, e.run, e.write
	run(dir, program, "mesh", "swing.shapes.toml")
	if out := run(dir, program, "run", "swing.msh", "--profile"); !strings.Contains(out, "time: drags") {
		t.Errorf("the profile does not name the kind:\n%s", out)
	}
	if out := run(dir, program, "deck", "drag"); !strings.Contains(out, "force over velocity") {
		t.Errorf("the reference has no such block:\n%s", out)
	}
	swings(t, filepath.Join(dir, "swing.out", "history.csv"))

	run(dir, program, "mesh", "part.shapes.toml")
	run(dir, program, "run", "part.msh", "--threads", "1")
	run(dir, program, "run", "part.msh", "--threads", "2", "-o", "two.out")
	slowed := math.Exp(-8 * 0.1 / 0.785)
	left, right := separated(t, filepath.Join(dir, "part.out", "history.csv"), -slowed, slowed)
	if two, other := separated(t, filepath.Join(dir, "two.out", "history.csv"), -slowed, slowed); two != left || other != right {
		t.Errorf("two workers have %v and %v m/s", two, other)
	}
	deck, err := os.ReadFile(filepath.Join(dir, "part.toml"))
	if err != nil {
		t.Fatal(err)
	}
	alone, found := strings.CutSuffix(string(deck), "[[drag]]\non = \"right\"\ndamping = \"8 N s/m\"\n")
	if !found {
		t.Fatal("the deck does not end with the right block's drag")
	}
	write("part.toml", alone)
	run(dir, program, "run", "part.msh", "-o", "alone.out")
	separated(t, filepath.Join(dir, "alone.out", "history.csv"), -slowed, 1)
}

// separated returns the velocities of the two blocks at the end [m/s], and checks them and the
// ledger.
func separated(t *testing.T, file string, ofLeft, ofRight float64) (left, right float64) {
	h, err := history.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	end := func(name string) float64 {
		c, ok := h.Column(name)
		if !ok {
			t.Fatalf("no column %s", name)
		}
		return c[len(c)-1]
	}
	left, right = end("left.vx"), end("right.vx")
	t.Logf("%.6g and %.6g m/s, theory %.6g and %.6g; residual %.2g J", left, right, ofLeft, ofRight, end("residual"))
	if math.Abs(left-ofLeft) > 1e-3*math.Abs(ofLeft) || math.Abs(right-ofRight) > 1e-3*math.Abs(ofRight) {
		t.Errorf("blocks that separate move at %g and %g m/s, want %g and %g", left, right, ofLeft, ofRight)
	}
	const kinetic = 0.785 // of both at first [J]
	if residual, broken := end("residual"), end("cracks.broken"); math.Abs(residual) > 1e-3*kinetic || math.Abs(broken-0.1) > 1e-9 {
		t.Errorf("residual %g J, %g m broken", residual, broken)
	}
	return left, right
}

// swings compares the history of the block on a spring with theory.
func swings(t *testing.T, file string) {
	h, err := history.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	time, _ := h.Column("time")
	v, _ := h.Column("block.vy")
	residual, _ := h.Column("residual")
	dissipated, _ := h.Column("damping_dissipated")
	var zeros []float64
	for i := 1; i < len(v); i++ {
		if v[i-1] > 0 != (v[i] > 0) {
			zeros = append(zeros, time[i-1]+(time[i]-time[i-1])*v[i-1]/(v[i-1]-v[i]))
		}
	}
	if len(zeros) < 6 {
		t.Fatalf("it swings %d times", len(zeros)/2)
	}
	const mass, stiffness, damping = 0.785, 31e3, 8.0
	n, rate := len(zeros)-1, damping/(2*mass)
	period, want := 2*(zeros[n]-zeros[0])/float64(n), 2*math.Pi/math.Sqrt(stiffness/mass-rate*rate)
	kinetic := 0.5 * mass * 0.1 * 0.1
	t.Logf("period %.6g s, theory %.6g s; residual %.2g of the kinetic energy", period, want, residual[len(residual)-1]/kinetic)
	if math.Abs(period-want) > 2e-3*want || math.Abs(residual[len(residual)-1]) > 1e-3*kinetic {
		t.Errorf("period %g s, theory %g s; residual %g J of %g J", period, want, residual[len(residual)-1], kinetic)
	}
	// What is left after whole periods is exp(-2 rate t) of the start's energy.
	whole := 3 * want
	i := slices.IndexFunc(time, func(t float64) bool { return t >= whole })
	left, theory := 1-dissipated[i]/kinetic, math.Exp(-2*rate*time[i])
	t.Logf("after %.4g s %.5g of the energy are left, theory %.5g", time[i], left, theory)
	if math.Abs(left-theory) > 2e-3 {
		t.Errorf("after %g s %g of the energy are left, theory %g", time[i], left, theory)
	}
}
