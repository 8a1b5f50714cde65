package impact_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
)

// The problem of the deck: steel, a square section and a ball.
const (
	young, poisson, density = 215.75e9, 0.3, 7960.0
	side, radius, speed     = 0.01, 0.01, 0.01
	mass                    = density * 4 / 3 * math.Pi * radius * radius * radius
)

// blow is what comes out of an impact.
type blow struct {
	peak        float64 // greatest force [N]
	restitution float64 // speed of the ball afterwards over that before
	contacts    int     // how often they touch
	separation  float64 // when they separate for the last time [s]
	deflection  float64 // greatest of the middle [m]
}

// modal is the same impact by Timoshenko's method (Zur Frage nach der Wirkung
// eines Stosses auf einen Balken, Zeitschrift fuer Mathematik und Physik 62,
// 1913): the beam as the sum of its odd modes, a ball that presses its middle
// with Hertz's force K d^1.5. Between steps the modes move exactly. With
// rotary, the sections have rotary inertia (Rayleigh), which Timoshenko left
// out then.
func modal(modes int, rotary bool, duration, dt float64) blow {
	const area, inertia = side * side, side * side * side * side / 12
	hertz := 4. / 3 * young / (2 * (1 - poisson*poisson)) * math.Sqrt(radius)
	type mode struct{ q, v, w, m, sign, sin, cos float64 }
	sum := make([]mode, modes)
	for i := range sum {
		k := float64(2*i+1) * math.Pi / scenes.Span
		f := 1.0
		if rotary {
			f += k * k * inertia / area
		}
		w := k * k * math.Sqrt(young*inertia/(density*area*f))
		sin, cos := math.Sincos(w * dt)
		sum[i] = mode{w: w, m: f * density * area * scenes.Span / 2, sign: 1 - 2*float64(i%2), sin: sin, cos: cos}
	}
	var out blow
	z, v, touching := 0.0, speed, false
	for step := range int(duration / dt) {
		middle := 0.0
		for i := range sum {
			middle += sum[i].sign * sum[i].q
		}
		d := max(z-middle, 0)
		force := hertz * d * math.Sqrt(d)
		out.peak, out.deflection = max(out.peak, force), max(out.deflection, middle)
		switch {
		case force > 0 && !touching:
			out.contacts++
		case force == 0 && touching:
			out.separation = float64(step) * dt
		}
		touching = force > 0
		v -= force / mass * dt
		z += v * dt
		for i := range sum {
			m := &sum[i]
			m.v += force * m.sign / m.m * dt
			m.q, m.v = m.q*m.cos+m.v/m.w*m.sin, m.v*m.cos-m.q*m.w*m.sin
		}
	}
	out.restitution = -v / speed
	return out
}

// row is the time between two observations of the contact [s].
const row = 2e-7

// computed runs the example with n beam elements and so many contact nodes on
// each.
func computed(t *testing.T, n, nodes int) blow {
	t.Helper()
	text, err := os.ReadFile("beam-impact.toml")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?m)^nodes_per_element = \d+`)
	d, err := deck.Parse("beam-impact.toml", own.ReplaceAll(text, fmt.Appendf(nil, "nodes_per_element = %d", nodes)))
	if err != nil {
		t.Fatal(err)
	}
	src := &mesh.Source{}
	scenes.Strike(src, n)
	m, _, err := d.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	m.HistoryEvery = row
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var out blow
	touching := false
	err = scenes.Finish(s, func() {
		c := s.ContactForces()[0]
		switch {
		case c.Normal > 0 && !touching:
			out.contacts++
		case c.Normal == 0 && touching:
			out.separation = s.Time
		}
		touching = c.Normal > 0
		out.deflection = max(out.deflection, -s.Probe(m.Probes[0]).Y)
	})
	if err != nil {
		t.Fatal(err)
	}
	out.peak, out.restitution = s.PeakForce[0], s.Motions()[1].Velocity.Y/speed
	e := s.Energies()
	if r := s.Relative(e); r > 1e-6 {
		t.Errorf("%d elements: residual %g", n, r)
	}
	return out
}

// The ball leaves the beam as Timoshenko's series says, with rotary inertia as the elements have
// it: its speed, the greatest force, the time of separation and the deflection of the beam. The
// paper neglects rotary inertia, which makes a difference of 7e-4.
func TestBallStrikesBeam(t *testing.T) {
	const duration = 600e-6
	known, without := modal(50, true, duration, 2e-8), modal(50, false, duration, 2e-8)
	got := computed(t, 50, 500)
	t.Logf("series %+v", known)
	t.Logf("series without rotary inertia %+v", without)
	t.Logf("50 elements %+v", got)
	if got.contacts != known.contacts {
		t.Errorf("%d contacts, the series has %d", got.contacts, known.contacts)
	}
	for _, c := range []struct {
		name            string
		got, want, near float64
	}{
		{"restitution", got.restitution, known.restitution, 3e-4},
		{"greatest force", got.peak, known.peak, 3e-4},
		{"moment of parting", got.separation, known.separation, row / known.separation},
		{"deflection", got.deflection, known.deflection, 3e-4},
	} {
		if math.Abs(c.got/c.want-1) > c.near {
			t.Errorf("%s is %g, the series says %g", c.name, c.got, c.want)
		}
	}
}
