package fracture

import (
	"fdem/materials/cohesive"
	"math"
	"testing"
)

// Two halves of a block that run into each other, undamped: cracks open under pressure, and the
// energy that their springs store at first, 4 to 22 % of all energy, would be created. It is
// balanced by the work of the bodies while they press, at any speed, on coarse and fine meshes: at
// the end up to 0.2 % is unbalanced in the finer meshes and 0.57 % in blocks of ten edges by seven.
// While many cracks open at once more is unbalanced for some steps: up to 2.8 and 7.2 %.
func TestCracksUnderPressureAreBalanced(t *testing.T) {
	for _, speed := range []float64{5, 20, 50} { // of each half [m/s]
		for _, size := range []float64{6e-3, 3e-3} {
			for seed := range uint64(2) {
				stone := bar()
				stone.law.Friction = 0.6
				b := newBody(t, scattered(0.06, 0.04, size, seed+1), stone, everywhere)
				kinetic := 0.0
				for i, x := range b.x0 {
					b.v[i].X = math.Copysign(speed, 0.03-x.X)
					kinetic += 0.5 * b.mass[i] * speed * speed
				}
				most := 0.0
				b.run(t, 80e-6, func() bool {
					if b.steps%5 == 0 {
						unbalanced, _ := b.unbalanced()
						most = math.Max(most, unbalanced)
					}
					return true
				})
				unbalanced, born := b.unbalanced()
				t.Logf("%g m/s, edges of %g mm, seed %d: springs under pressure began with %.2f %% of the energy; %.2f %% is unbalanced at most, %.3f %% at the end; residual of steps %.2f %%",
					speed, 1e3*size, seed, 100*born/kinetic, 100*most/kinetic, 100*unbalanced/kinetic, 100*b.worst/kinetic)
				if unbalanced > 0.1*born || unbalanced > 1e-2*kinetic || most > 0.5*born || born < 2e-2*kinetic {
					t.Errorf("%g m/s, edges of %g mm, seed %d: of %g J unbalanced at first %g J are at most and %g J at the end", speed, 1e3*size, seed, born, most, unbalanced)
				}
				if b.worst > 1e-2*kinetic {
					t.Errorf("%g m/s, edges of %g mm, seed %d: steps make %g of %g J", speed, 1e3*size, seed, b.worst, kinetic)
				}
			}
		}
	}
}

// unbalanced returns the energy that is not yet balanced of the springs of points that began under
// pressure, and the energy that all of these stored at first [J].
func (b *body) unbalanced() (now, born float64) {
	for k := range b.cracks {
		for end, open := range b.cracks[k].open {
			if open {
				_, of := b.pointOf(int32(k), end)
				mem := b.memory(int32(k), end)
				now += b.cracks[k].weight * (mem[cohesive.Unbalanced] + mem[cohesive.UnbalancedFriction])
				born += b.cracks[k].weight * of.Insertion()
			}
		}
	}
	return now, born
}

// The energy that cracks give back without having received it, in the same halves at 5 m/s, in
// coarse meshes: at most 2.0 and 1.0 % of the energy on the mean of six, ten and six edges across,
// without friction, where it was 8.7 and 4.1 when cohesion had half of its stiffness there and
// unbalanced springs were released as slowly as the bodies; with friction 1.6 and 0.9, where it was
// 2.4 and 1.2.
func TestCracksGiveLittle(t *testing.T) {
	for _, c := range []struct{ friction, size, most float64 }{{0, 10e-3, 3e-2}, {0, 6e-3, 1.5e-2}, {0.6, 10e-3, 2e-2}, {0.6, 6e-3, 1.1e-2}} {
		const meshes = 6
		mean := 0.0
		for seed := range uint64(meshes) {
			stone := bar()
			stone.law.Friction = c.friction
			b := newBody(t, scattered(0.06, 0.04, c.size, seed+1), stone, everywhere)
			kinetic, most := 0.0, 0.0
			for i, x := range b.x0 {
				b.v[i].X = math.Copysign(5, 0.03-x.X)
				kinetic += 0.5 * b.mass[i] * 5 * 5
			}
			b.run(t, 100e-6, func() bool {
				most = math.Max(most, b.Energies().Insertion)
				return true
			})
			mean += most / kinetic / meshes
		}
		t.Logf("friction %g, edges of %g mm: cracks give out %.2f %% of the energy", c.friction, 1e3*c.size, 100*mean)
		if mean > c.most {
			t.Errorf("friction %g, edges of %g mm: cracks give out %g of the energy", c.friction, 1e3*c.size, mean)
		}
	}
}

// A point that has been balanced once stays balanced, although its heat falls. A resumed run
// determines it anew.
func TestBalancedForGood(t *testing.T) {
	b := newBody(t, scattered(0.06, 0.04, 6e-3, 1), bar(), everywhere)
	for i, x := range b.x0 {
		b.v[i].X = math.Copysign(5, 0.03-x.X)
	}
	b.run(t, 60e-6, nil)
	balanced := 0
	for k := range b.cracks {
		q, lane := b.at(int32(k))
		for end, open := range b.cracks[k].open {
			due := &b.balances[k/lanes][end][ofPending][lane]
			if !open || *due != 0 {
				continue
			}
			balanced++
			q.slips[end][ofHeat][lane] = -1e9
			b.updateQuad(int32(k))
			if *due != 0 {
				t.Fatalf("crack %d pays at end %d when its heat has fallen", k, end)
			}
		}
	}
	if balanced < 10 {
		t.Errorf("%d points are balanced: too few to tell", balanced)
	}
}
