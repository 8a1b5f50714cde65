package halves

import (
	"math"
	"math/rand"
	"reflect"
	"testing"
	"unsafe"

	"fdem/contactnodes/onnodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// scene is random edges near each other, on outlines that turn either way or end.
type scene struct {
	x, v   []r2.Vec
	halves []Half
	query  Query
	fours  []Four
	ratio  []float64
}

func newScene(rng *rand.Rand) *scene {
	s := &scene{x: make([]r2.Vec, 200), v: make([]r2.Vec, 200), ratio: []float64{0, 0.3, -0.5}}
	vec := func(size float64) r2.Vec { return r2.Vec{X: size * rng.NormFloat64(), Y: size * rng.NormFloat64()} }
	for i := range s.x {
		s.x[i], s.v[i] = vec(1), vec(1)
	}
	node := func() int32 { return int32(rng.Intn(len(s.x))) }
	for range 40 {
		h := Half{Nodes: [4]int32{node(), node(), node(), node()}, Stiffness: rng.ExpFloat64(), Roof: 3 * rng.Float64(), Mass: rng.Float64(), Offset: -1}
		for h.Nodes[3] == h.Nodes[2] {
			h.Nodes[3] = node()
		}
		h.Before, h.After = h.Nodes[2], h.Nodes[3]
		if rng.Intn(4) > 0 {
			h.Before, h.After = node(), node()
		}
		if rng.Intn(3) == 0 { // flush faces
			n := h.Nodes
			s.x[n[0]], s.x[n[1]] = s.x[n[3]], s.x[n[2]]
		}
		s.halves = append(s.halves, h)
	}
	ahead := rng.Float64() * float64(rng.Intn(2))
	s.query.Set(ahead, 0.3*rng.Float64(), 0.01*rng.Float64(), 0.1*rng.Float64(), 40, rng.Intn(4) > 0)
	s.fours = make([]Four, 20)
	for i := range s.fours {
		f := &s.fours[i]
		for l := range Lanes {
			f.Half[l], f.Grip[0][l], f.Grip[1][l] = int32(rng.Intn(len(s.halves))), int32(rng.Intn(len(s.ratio))), int32(rng.Intn(len(s.ratio)))
			f.Offset[l] = 0.1 * rng.Float64() * float64(rng.Intn(2))
		}
	}
	return s
}

// spread returns the sums of a kernel, and the forces on nodes.
func (s *scene) spread(k Kernel, f []Four) (Spreading, []onnodes.Force) {
	var sums Spreading
	out := onnodes.New(len(s.x), false)
	for n := range s.x {
		out.Make(int32(n))
	}
	sums.Set(1.3, 0.02, 0.5, 1, &out, s.ratio, make([]Drag, 0, 2*Lanes*len(f)))
	k.Spread(f, s.halves, &sums)
	on := make([]onnodes.Force, len(s.x))
	for n := range on {
		on[n] = out.At(int32(n))
	}
	loaded := out.Loaded(nil)
	sums.Pages, sums.Loaded = nil, nil
	return sums, append(on, onnodes.Force{Stiffness: float64(len(loaded))})
}

// Every kernel gives the bits of the plain one.
func TestKernelsGiveTheSameBits(t *testing.T) {
	fast := Choose(false)
	rng := rand.New(rand.NewSource(3))
	var touching, deep, near, sectors int
	for range 500 {
		s := newScene(rng)
		got, want := append([]Four(nil), s.fours...), append([]Four(nil), s.fours...)
		fast.Meet(got, s.halves, s.x, s.v, &s.query)
		plain.Meet(want, s.halves, s.x, s.v, &s.query)
		for i := range want {
			if !sameBits(&got[i], &want[i]) {
				t.Fatalf("four %d:\n%+v\n%+v", i, got[i], want[i])
			}
			for l := range Lanes {
				touching += int(want[i].Touching >> l & 1)
				deep += int(want[i].Deep >> l & 1)
				near += int((want[i].Near &^ want[i].Touching) >> l & 1)
				sectors += int(want[i].Sector >> l & 1)
			}
		}
		gotSums, gotOn := s.spread(fast, got)
		wantSums, wantOn := s.spread(plain, want)
		if !reflect.DeepEqual(gotSums, wantSums) || !reflect.DeepEqual(gotOn, wantOn) {
			t.Fatalf("sums\n%+v\n%+v", gotSums, wantSums)
		}
		if got, want := fast.Power(wantSums.Drags, s.v, 0.7), plain.Power(wantSums.Drags, s.v, 0.7); got != want {
			t.Fatalf("power %v, want %v", got, want)
		}
	}
	if min(touching, deep, near, sectors) < 1000 {
		t.Errorf("%d halves touch, %d are too deep, %d will touch, %d begin at a re-entrant corner", touching, deep, near, sectors)
	}
}

// sameBits compares all bits; what is no number has any.
func sameBits(a, b *Four) bool {
	p, q := (*[unsafe.Sizeof(Four{}) / 8]uint64)(unsafe.Pointer(a)), (*[unsafe.Sizeof(Four{}) / 8]uint64)(unsafe.Pointer(b))
	for i := range p {
		if p[i] != q[i] && !(i >= 8 && math.IsNaN(math.Float64frombits(p[i])) && math.IsNaN(math.Float64frombits(q[i]))) {
			return false
		}
	}
	return true
}
