package benchmarks

import (
	"math"
	"runtime"
	"strconv"
	"time"

	"fdem/io/throw"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// elements is the number of triangles of the figures of this file. They fit in a cache.
const elements = 20_000

// plainTime returns the time for the forces of a triangle by a plain loop [s]: triangle
// by triangle by the formulas, in Go, on one core. Other figures are in units of this
// time, which depends on the machine as they do.
func plainTime() float64 {
	m := blocks(elements)
	type triangle struct {
		node                   [3]int32
		bx, by, cx, cy, volume float64
	}
	moduli := steel.Moduli(m.Plane)
	x, f := m.Mesh.X, make([]r2.Vec, len(m.Mesh.X))
	var all []triangle
	for _, n := range m.Mesh.Triangles {
		p, q := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
		d := r2.Cross(p, q)
		all = append(all, triangle{n, q.Y / d, -q.X / d, -p.Y / d, p.X / d, 0.5 * d * m.Thickness})
	}
	took := fastest(1, func() {
		clear(f)
		for i := range all {
			e := &all[i]
			a, b, c := x[e.node[0]], x[e.node[1]], x[e.node[2]]
			x1, y1, x2, y2 := b.X-a.X, b.Y-a.Y, c.X-a.X, c.Y-a.Y
			fxx, fxy := x1*e.bx+x2*e.cx, x1*e.by+x2*e.cy
			fyx, fyy := y1*e.bx+y2*e.cx, y1*e.by+y2*e.cy
			exx, eyy, exy := 0.5*(fxx*fxx+fyx*fyx-1), 0.5*(fxy*fxy+fyy*fyy-1), fxx*fxy+fyx*fyy
			sxx := e.volume * (moduli.C11*exx + moduli.C12*eyy)
			syy := e.volume * (moduli.C12*exx + moduli.C11*eyy)
			sxy := e.volume * moduli.G * exy
			pxx, pxy := fxx*sxx+fxy*sxy, fxx*sxy+fxy*syy
			pyx, pyy := fyx*sxx+fyy*sxy, fyx*sxy+fyy*syy
			g, h := r2.Vec{X: pxx*e.bx + pxy*e.by, Y: pyx*e.bx + pyy*e.by}, r2.Vec{X: pxx*e.cx + pxy*e.cy, Y: pyx*e.cx + pyy*e.cy}
			f[e.node[0]] = r2.Add(f[e.node[0]], r2.Add(g, h))
			f[e.node[1]] = r2.Sub(f[e.node[1]], g)
			f[e.node[2]] = r2.Sub(f[e.node[2]], h)
		}
	})
	return took / float64(len(all))
}

// dampedTime returns the time of a step of a triangle with Rayleigh damping and
// weight, by one worker [s].
func dampedTime() float64 {
	m := blocks(elements)
	m.Damping, m.Gravity = model.Damping{Mass: 10, Stiffness: 1e-10}, r2.Vec{Y: -9.81}
	s := throw.Must(solver.New(m))
	s.SetWorkers(1)
	return stepTime(s) / float64(len(m.Mesh.Triangles))
}

// busyTurn and busyTurns are the duration and the number of the turns in which each
// number of workers steps beside a busy core. A turn is long compared with the time slice
// of an operating system, so that the cost of waiting is measured.
const (
	busyTurn  = 100 * time.Millisecond
	busyTurns = 10
)

// besideBusy returns the time of a step of a triangle [s] by number of workers, one and
// two, while another thread keeps one core busy: the mean in wall-clock time, in
// alternating turns. It returns none if the program has only one core.
func besideBusy() map[string]float64 {
	cores := runtime.GOMAXPROCS(0)
	if cores < 2 {
		return nil
	}
	// one thread more than cores, which the system has to fit in
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores + 1))
	quit, left := make(chan struct{}), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer close(left)
		for x := 1.0; ; {
			for range 1000 {
				x = math.Sqrt(x + 1)
			}
			select {
			case <-quit:
				return
			default:
			}
		}
	}()
	defer func() { close(quit); <-left }()
	workers := []int{1, 2}
	var spent [2]time.Duration
	var steps [2]int
	s := begun(elements)
	for range busyTurns {
		for i, w := range workers {
			if s.Workers() != w {
				s.SetWorkers(w)
			}
			began := time.Now()
			for ; time.Since(began) < busyTurn; steps[i]++ {
				throw.If(s.Step(s.Limit, nil))
			}
			spent[i] += time.Since(began)
		}
	}
	out := map[string]float64{}
	for i, w := range workers {
		out[strconv.Itoa(w)] = spent[i].Seconds() / float64(steps[i]*len(s.Mesh.Triangles))
	}
	return out
}
