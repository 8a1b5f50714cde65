package potential

import (
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// Every kernel gives the bits of the one in Go: under laws with and without damping and a memory,
// in every regime of friction, for contact points that begin, stay and end, for faces that are
// ramped in, on triangles that are strained and obtuse and on edges, by one worker, two and three.
func TestKernelsGiveTheSameBits(t *testing.T) {
	laws := []contact.Law{
		contact.Linear{K: 1e6}, contact.Linear{K: 1e6, C: 300}, contact.Hertz{K: 1e6}, contact.Hysteretic{K: 1e6, N: 1.5, C: 0.3}, contact.Linear{K: 1e6, C: 30},
	}
	remembers := 0
	frictions := []coulomb.Friction{
		{Kinetic: 0.2, Static: 0.3, Ratio: 0.7}, {Kinetic: 0.01, Static: 0.4, Ratio: 0.7}, {Static: 0.3, Ratio: 0.5}, {Ratio: 1.8},
		{Kinetic: 0.3, Static: 0.3, Stiffness: 4e5}, {}, {Kinetic: 0.3, Speed: 0.01},
	}
	var touched, held, slid, ended int
	transferred := 0.0
	for n, law := range laws {
		if len(law.Memory()) > 0 {
			remembers++
		}
		var all [2]*Contact
		var x []r2.Vec
		for k, generic := range []bool{true, false} {
			rules := []Rule{{law, frictions[n%len(frictions)]}}
			for _, f := range frictions {
				rules = append(rules, Rule{contact.Linear{K: 1e6}, f})
			}
			if n%2 == 0 {
				rules = rules[:2]
			}
			all[k], x = sceneOf(t, 40, 2, rules)
			all[k].kernel = chooseKernel(generic)
		}
		all[1].Workers(1+n%3, func(do func(worker int)) {
			var wait sync.WaitGroup
			for w := range 1 + n%3 {
				wait.Go(func() { do(w) })
			}
			wait.Wait()
		})
		for i := range x { // sides are not as far from each other as they were
			x[i].X *= 1.5
		}
		draw := rand.New(rand.NewSource(int64(n)))
		v := make([]r2.Vec, len(x))
		const dt = 1e-4
		for step := range 600 {
			if step%40 == 0 {
				for f := range all[0].Faces {
					if part := 0.25 * float64(1+draw.Intn(4)); step > 0 && draw.Intn(4) == 0 {
						for _, c := range all {
							c.RampIn(int32(f), max(part, c.part[f]), c.part[f])
						}
					}
				}
			}
			if step%40 == 2 { // all are ramped in
				for f := range all[0].Faces {
					for _, c := range all {
						c.RampIn(int32(f), c.part[f], 1)
					}
				}
			}
			at := Scene{X: x, V: v, Masses: weightless(len(x)), Step: dt, Next: dt, Speed: 20}
			var force [2]onnodes.Forces
			before := contactPointsOf(all[0])
			for i, c := range all {
				force[i] = onnodes.New(len(x), false)
				c.AddForces(force[i], at, false)
				force[i].Clear()
				c.AddForces(force[i], at, true)
			}
			a, b := all[0], all[1]
			for what, of := range map[string][2]any{
				"touches": {a.InContact, b.InContact}, "values": {a.Values, b.Values}, "sums": {a.Sums, b.Sums}, "energies": {a.energy, b.energy},
				"work": {a.NormalWork, b.NormalWork}, "friction": {a.FrictionWork, b.FrictionWork}, "forces": {force[0], force[1]},
				"handed over": {a.TransferWork, b.TransferWork},
			} {
				if !reflect.DeepEqual(of[0], of[1]) { // no number is NaN
					t.Fatalf("%T, step %d: %s differ", law, step, what)
				}
			}
			for i := range a.Active {
				touched++
				switch v := a.Values[i*a.stride:]; {
				case v[sliding] > 0:
					slid++
				case v[stiffness] > 0:
					held++
				}
			}
			transferred = max(transferred, a.TransferWork[0])
			after := contactPointsOf(a)
			for _, t := range before {
				if !slices.Contains(after, t) {
					ended++
				}
			}
			for i := range 40 { // bodies fly apart and return, vibrate, and rotate suddenly
				if step%40 == 20 {
					angle, centre := draw.NormFloat64(), r2.Scale(1.0/3, r2.Add(x[3*i], r2.Add(x[3*i+1], x[3*i+2])))
					for k := range 3 {
						x[3*i+k] = r2.Rotate(x[3*i+k], angle, centre)
					}
				}
				if step%100 == 0 {
					w := r2.Vec{X: 12 * draw.NormFloat64(), Y: 12 * draw.NormFloat64()}
					for k := range 3 {
						v[3*i+k] = w
					}
				}
				for k := range 3 {
					shake := r2.Vec{X: 3 * draw.NormFloat64(), Y: 3 * draw.NormFloat64()}
					x[3*i+k] = r2.Add(x[3*i+k], r2.Scale(dt, r2.Add(v[3*i+k], shake)))
				}
				if step%100 == 50 {
					for k := range 3 {
						v[3*i+k] = r2.Scale(-1, v[3*i+k])
					}
				}
			}
		}
	}
	t.Logf("%d laws, %d with a memory: %d contact points, %d held, %d slid, %d ended", len(laws), remembers, touched, held, slid, ended)
	if touched < 100000 || held < 10000 || slid < 10000 || ended < 1000 || remembers == 0 || transferred == 0 {
		t.Errorf("%d laws, %d with a memory: %d contact points, %d held, %d slid, %d ended, %g J transferred", len(laws), remembers, touched, held, slid, ended, transferred)
	}
}
