package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/processes"
)

// sideOnSide is two blocks, one of them held, that lie side on side.
func sideOnSide(t *testing.T) *Solver {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "lower", 0, 0, 0.1, 0.05, 40, 20)
	rectangle(src, "upper", 0.01, 0.05, 0.08, 0.05, 32, 20)
	m := model(t, src, steel)
	m.Duration = 1e-3
	m.Fixes = []models.Fix{{Nodes: m.Mesh.Bodies[0].Nodes[:7], X: true, Y: true}}
	m.Contacts = []models.SurfaceContact{{
		Name: "side", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: law(t, "linear", map[string]float64{"k": 1e14}),
		NodesPerElement: 3, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
	}}
	return start(t, m)
}

// A rank owns or follows every node that it reads, which means that it gets the node in every step.
// All ranks have the same list, every listed node is moved once, and each leaf is added by one
// rank, for any number of ranks.
func TestRanksHaveWhatTheyRead(t *testing.T) {
	s := sideOnSide(t)
	for _, size := range []int{1, 2, 3, 7, 200} {
		parts := s.triangles.Subdomains(size)
		var first processes.Sharing
		s.Partition(&first, 0, size)
		if first.Followed == nil {
			t.Fatalf("every node is exchanged because of %s", first.Every)
		}
		reported := s.PredictShare(size)
		if reported.Exchanged != len(first.Followed) || reported.Bytes() != 16*len(first.Followed) || reported.Why != "" {
			t.Errorf("%d ranks: %d nodes are foretold, %d exchanged", size, reported.Exchanged, len(first.Followed))
		}
		listed := map[int32]bool{}
		for _, n := range first.Followed {
			listed[n] = true
		}
		for _, n := range append(s.Outlines.Lines.Nodes, s.Fixes[0].Nodes...) {
			if !listed[n] {
				t.Errorf("%d ranks: node %d of an outline or a fix is not exchanged", size, n)
			}
		}
		next, leaves := 0, [2]int{}
		for rank := range size {
			var h processes.Sharing
			s.Partition(&h, rank, size)
			if len(h.Followed) != len(first.Followed) || h.Own[0] != next {
				t.Fatalf("%d ranks: rank %d has %d nodes from %d, want %d from %d", size, rank, len(h.Followed), h.Own[0], len(first.Followed), next)
			}
			next = h.Own[1]
			moved := h.Own[1] - h.Own[0]
			for _, f := range h.FollowedSpans {
				moved += int(f.End - f.First)
			}
			if moved != len(h.Followed) {
				t.Errorf("%d ranks: rank %d moves %d of %d nodes", size, rank, moved, len(h.Followed))
			}
			if rank < len(parts) {
				parts[rank].Reads(func(n int32) {
					if !listed[n] && (n < h.OwnedFrom[rank] || n >= h.OwnedFrom[rank+1]) {
						t.Errorf("%d ranks: rank %d reads node %d, which it has not", size, rank, n)
					}
				})
			}
			for i, count := range [2]int{s.triangles.Leaves(), (len(s.X) + 63) / 64} {
				from, to := h.LeavesOf(rank, count)
				if from != leaves[i] || rank == size-1 && to != count {
					t.Errorf("%d ranks: rank %d adds leaves %d to %d of %d, want from %d", size, rank, from, to, count, leaves[i])
				}
				leaves[i] = to
			}
		}
		if next != len(first.Followed) {
			t.Errorf("%d ranks: %d of %d nodes have an owner", size, next, len(first.Followed))
		}
	}
}

// Cuts lie where all processes need the same time, and stay if the times are nearly the same.
func TestSharesThatTakeAsLong(t *testing.T) {
	for _, k := range []struct {
		at, spent, want []float64
		better          bool
	}{
		{[]float64{0, 0.5, 1}, []float64{1, 3}, []float64{2.0 / 3}, true},
		{[]float64{0, 0.25, 0.5, 1}, []float64{4, 1, 1}, []float64{0.125, 0.25}, true},
		{[]float64{0, 0.5, 0.5, 1}, []float64{3, 0, 3}, []float64{1.0 / 3, 2.0 / 3}, true},
		{[]float64{0, 0.5, 1}, []float64{1, 1.05}, []float64{0.5 + 0.025/1.05/2}, false},
	} {
		got, better := processes.EvenCuts(k.at, k.spent)
		if better != k.better || len(got) != len(k.want) {
			t.Errorf("%v: %v, better: %v", k.spent, got, better)
			continue
		}
		for i, want := range k.want {
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%v between %v: %v, want %v", k.spent, k.at, got, k.want)
			}
		}
	}
}
