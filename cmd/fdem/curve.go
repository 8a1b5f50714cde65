package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"fdem/io/columns"
	"fdem/io/deck"
	"fdem/io/tables"
	"fdem/materials/contact"
)

// point is a row of a path.
type point struct{ deflection, rate float64 } // [m], [m/s]

const maxPoints = 10_000_000

// parsePath reads turning points, "0:20um:200,0": each except the first is
// reached in equal steps. Their number is given after a colon, or is that of
// the leg before. The first leg may be written as a single point.
func parsePath(spec string) ([]point, error) {
	const first = 100
	legs := strings.Split(spec, ",")
	start, rest, joined := strings.Cut(legs[0], ":")
	legs = legs[1:]
	if joined {
		legs = append([]string{rest}, legs...)
	}
	from, err := tables.ParseQuantity(start, tables.Length)
	if err != nil {
		return nil, fmt.Errorf("--path %q: %w", spec, err)
	}
	path := []point{{deflection: from}}
	steps := first
	for _, leg := range legs {
		end, number, counted := strings.Cut(leg, ":")
		to, err := tables.ParseQuantity(end, tables.Length)
		if err != nil {
			return nil, fmt.Errorf("--path %q: %w", spec, err)
		}
		if counted {
			if steps, err = strconv.Atoi(strings.TrimSpace(number)); err != nil || steps < 1 {
				return nil, fmt.Errorf("--path %q: number of steps must be a whole number from 1, got %q", spec, number)
			}
		}
		if steps > maxPoints-len(path) {
			return nil, fmt.Errorf("--path %q: more than %d points", spec, maxPoints)
		}
		for i := 1; i < steps; i++ {
			path = append(path, point{deflection: from + float64((to-from)*float64(i)/float64(steps))})
		}
		path = append(path, point{deflection: to})
		from = to
	}
	return path, nil
}

// readPath reads the columns deflection and, if present, rate of a CSV file.
// Errors name file and line.
func readPath(name string) ([]point, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return scanPath(name, f)
}

func scanPath(name string, in io.Reader) ([]point, error) {
	t, err := columns.Scan(name, in)
	if err != nil {
		return nil, err
	}
	deflections, err := deck.Column(t, "deflection", tables.Length)
	if err != nil {
		return nil, err
	}
	rates := make([]float64, len(deflections))
	if t.Has("rate") {
		if rates, err = deck.Column(t, "rate", tables.Velocity); err != nil {
			return nil, err
		}
	}
	path := make([]point, len(deflections))
	for i := range path {
		path[i] = point{deflections[i], rates[i]}
	}
	return path, nil
}

// trace drives one contact node along a path and adds up the work.
type trace struct {
	kind contact.Kind
	node *contact.Node
	at   point // present deflection and rate of the node
	work float64
	peak float64 // the greatest pressure so far
	left int     // number of rules that an integral may still use
}

// newTrace returns a trace at zero deflection, without contact.
func newTrace(kind contact.Kind, law contact.Law) *trace {
	return &trace{kind: kind, node: contact.NewNode(law)}
}

// move evaluates the law at a point and updates its memory.
func (t *trace) move(to point) contact.Answer {
	a := t.node.Move(to.deflection, to.rate)
	t.peak = max(t.peak, math.Abs(a.P))
	return a
}

// maxRules is the greatest number of rules on one path.
const maxRules = 100_000

// to moves to the next point, with deflection and rate linear in time. It
// returns the pressure there [Pa] and the energies [J/m2], for a point law the
// force [N] and the energies [J]. It fails if they are not finite.
func (t *trace) to(next point) (pressure, stored, dissipated float64, err error) {
	if t.kind == contact.Point && t.at.deflection <= 0 && next.deflection > 0 { // point laws remember the rate at first contact
		part := t.at.deflection / (t.at.deflection - next.deflection)
		touch := point{math.SmallestNonzeroFloat64, t.at.rate + float64(part*(next.rate-t.at.rate))}
		t.move(touch)
		t.at = touch
	}
	whole := t.rule(next, 0, 1)
	tolerance := 1e-13*t.peak*math.Abs(next.deflection-t.at.deflection) + float64(1e-15*math.Abs(t.work))
	t.left = maxRules
	t.work += t.integral(next, 0, 1, whole, tolerance, 50)
	end := t.move(next)
	t.at = next
	if sum := end.P + end.W + t.work; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, 0, 0, fmt.Errorf("at a deflection of %g m and a rate of %g m/s the law has no finite value", next.deflection, next.rate)
	}
	return end.P, end.W, t.work - end.W, nil
}

// integral returns the work between the parts a and b of the path to next, by
// adaptive quadrature. first is the rule over the whole interval. The interval is
// halved until the halves agree with the whole, since a law has kinks between its
// branches.
func (t *trace) integral(next point, a, b, first, tolerance float64, depth int) float64 {
	c := 0.5 * (a + b)
	left, right := t.rule(next, a, c), t.rule(next, c, b)
	t.left -= 2
	if depth == 0 || t.left <= 0 || math.IsNaN(left+right) || math.IsInf(left+right, 0) || math.Abs(left+right-first) <= tolerance {
		return left + right
	}
	return t.integral(next, a, c, left, 0.5*tolerance, depth-1) + t.integral(next, c, b, right, 0.5*tolerance, depth-1)
}

// lobatto is the points and weights of the five-point Gauss-Lobatto rule on 0
// to 1. Its points include both ends, so that a kink near an end is found.
var lobatto = [5]struct{ place, weight float64 }{
	{0, 1.0 / 20}, {0.5 - 0.5*math.Sqrt(3.0/7), 49.0 / 180}, {0.5, 16.0 / 45}, {0.5 + 0.5*math.Sqrt(3.0/7), 49.0 / 180}, {1, 1.0 / 20},
}

// rule integrates the work between the parts a and b of the path to next. A law
// depends only on its memory and the deflection, so every point is evaluated
// with the memory at the start of the path.
func (t *trace) rule(next point, a, b float64) float64 {
	leg := point{next.deflection - t.at.deflection, next.rate - t.at.rate}
	sum := 0.0
	for _, l := range lobatto {
		s := a + float64((b-a)*l.place)
		p := t.node.Try(t.at.deflection+float64(s*leg.deflection), t.at.rate+float64(s*leg.rate)).P
		t.peak = max(t.peak, math.Abs(p))
		sum += float64(l.weight * p)
	}
	return sum * (b - a) * leg.deflection
}
