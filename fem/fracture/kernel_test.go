package fracture

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// The kernel gives every bit that pull gives, of cracks that open, soften, shut, rub,
// part and swing, in a body whose fragments rattle; most of them it takes itself.
func TestKernel(t *testing.T) {
	n := scattered(0.05, 0.05, 3e-3, 4)
	stone := bar()
	stone.law.Friction = 0.6
	make := func() *body {
		b := newBody(t, net{slices.Clone(n.x), slices.Clone(n.tri)}, stone, everywhere)
		for i, x := range b.x0 {
			b.v[i].X = 3.5 * math.Sin(400*x.X+150*x.Y)
			b.v[i].Y = 3.5 * math.Sin(170*x.X-350*x.Y)
		}
		return b
	}
	fast, plain := make(), make()
	plain.kernel = generic
	taken, cracks, shut, slid := 0, 0, 0, 0
	fast.run(t, math.Inf(1), func() bool {
		plain.run(t, math.Inf(1), func() bool { return false })
		var lever [lanes]float64
		list := fast.pullers[0].list
		for i := range fast.quads {
			q := &fast.quads[i]
			before := *q
			left := 0
			if fast.kernel.take(fast.quads[i:i+1], fast.x, fast.f, list[:1], &lever, fast.thickness) > 0 {
				left = int(list[0])
			}
			*q = before
			for lane := range lanes {
				if k := lanes*i + lane; k >= len(fast.cracks) || fast.cracks[k].left {
					continue
				}
				cracks++
				if left&(1<<lane) == 0 {
					taken++
				}
				for end := range 2 {
					if q.slips[end][ofRub][lane] != 0 {
						shut++
					}
					if q.slips[end][ofHeat][lane] != 0 {
						slid++
					}
				}
			}
		}
		if !slices.Equal(fast.x, plain.x) || !slices.Equal(fast.v, plain.v) || fast.lever != plain.lever {
			t.Fatalf("step %d: the bodies differ", fast.steps)
		}
		return fast.steps < 600
	})
	a, b := fast.State(), plain.State()
	for _, s := range []*State{&a, &b} { // NaN is what has not happened
		for _, of := range [][]float64{s.Broken, s.Left, s.Apart, s.Parting} {
			for i, v := range of {
				if math.IsNaN(v) {
					of[i] = -1
				}
			}
		}
	}
	if !reflect.DeepEqual(a, b) || fast.Energies() != plain.Energies() {
		t.Error("states differ")
	}
	broken := len(fast.broken)
	t.Logf("%d cracks, %d of them broken; of %d looked at %d are taken by the kernel, %d ends stick, %d have slid", len(fast.cracks), broken, cracks, taken, shut, slid)
	if broken < 20 || shut < cracks/20 || slid < cracks/20 {
		t.Error("too little breaks, sticks or slides to tell")
	}
	if reflect.ValueOf(fast.kernel.take).Pointer() != reflect.ValueOf(generic.take).Pointer() && taken < cracks/2 {
		t.Error("the kernel takes few of them")
	}
}
