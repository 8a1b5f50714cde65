package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/solver"
)

// faultModel is SCEC's TPV205 in the plane: a fault of 30 km in an unbounded medium, with edges of
// some length [km]. Initial shear that differs along the fault is the same as strengths that differ
// by it, both static and dynamic, under a shear of 70 MPa everywhere.
func faultModel(edge float64) (deck, shapes string) {
	var d, m strings.Builder
	fmt.Fprintf(&d, "[analysis]\nduration = 6\nplane = \"strain\"\nstart = \"sudden\"\n[output]\nhistory_every = 0.01\n[[material]]\nname = \"crust\"\nyoung = 80.095e9\npoisson = 0.25\ndensity = 2670\n")
	fmt.Fprintf(&d, "[[body]]\nname = \"south\"\nmaterial = \"crust\"\n[[body]]\nname = \"north\"\nmaterial = \"crust\"\n[[initial_stress]]\nstress = [-120e6, -120e6, 70e6]\n[[fix]]\non = \"far\"\n")
	fmt.Fprintf(&m, "edge = %g\njoin = [\"south\", \"north\"]\n", edge*1e3)
	at := []float64{-24, -15, -9, -6, -1.5, 1.5, 6, 9, 15, 24}
	over := []float64{0, 0, 8, 0, 11.6, 0, -8, 0, 0} // initial shear above 70 MPa
	for k := range at[1:] {
		from, to, name := at[k]*1e3, at[k+1]*1e3, fmt.Sprintf("fault%d", k)
		side := ""
		if k == 0 {
			side = "left = \"far\"\n"
		} else if k == len(at)-2 {
			side = "right = \"far\"\n"
		}
		fault := ""
		if k > 0 && k < len(at)-2 {
			fault = name
			fmt.Fprintf(&d, "[[joint]]\non = %q\nlaw = \"slip-weakening\"\nfriction = %.9g\ndynamic_friction = %.9g\nweakening_slip = 0.4\nstiffness = 6\n", name, 0.677-over[k]/120, 0.525-over[k]/120)
			fmt.Fprintf(&m, "[[rectangle]]\nname = \"south\"\nfrom = [%g, -18e3]\nto = [%g, 0]\nbottom = \"far\"\ntop = %q\n%s", from, to, fault, side)
			fmt.Fprintf(&m, "[[rectangle]]\nname = \"north\"\nfrom = [%g, 0]\nto = [%g, 18e3]\ntop = \"far\"\nbottom = %q\n%s", from, to, fault, side)
			continue
		}
		fmt.Fprintf(&m, "[[rectangle]]\nname = \"south\"\nfrom = [%g, -18e3]\nto = [%g, 0]\nbottom = \"far\"\n%s", from, to, side)
		fmt.Fprintf(&m, "[[rectangle]]\nname = \"north\"\nfrom = [%g, 0]\nto = [%g, 18e3]\ntop = \"far\"\n%s", from, to, side)
	}
	return d.String(), m.String()
}

// ruptured runs a fault. It returns when slip is faster than 10 mm/s at places along it [km], and the
// slip at the end at others.
func ruptured(t *testing.T, edge float64, places, slipAt []float64) (arrival, slip []float64, s *solver.Solver) {
	t.Helper()
	deck, shapes := faultModel(edge)
	s = built(t, deck, shapes)
	before := map[int32]float64{}
	arrived := map[int32]float64{}
	look := func(do func(edge int32, x, slip, rate float64)) {
		z := s.Zone()
		for i := range z.Cracks() {
			c := z.Crack(i)
			do(c.Edge, 0.5e-3*(s.Mesh.X[c.Nodes[0]].X+s.Mesh.X[c.Nodes[1]].X), math.Abs(c.Slip), c.SlipRate)
		}
	}
	where := map[int32]float64{}
	through(t, s, func() {
		look(func(edge int32, x, slip, rate float64) {
			where[edge] = x
			if _, is := arrived[edge]; !is && rate > 0.01 && s.Time > 0 {
				arrived[edge] = s.Time
			}
			before[edge] = slip
		})
	})
	at := func(x float64, of map[int32]float64) float64 { // linear between the middles of two edges
		low, high, below, above := math.Inf(-1), math.Inf(1), math.NaN(), math.NaN()
		for e, v := range of {
			if p := where[e]; p <= x && p > low {
				low, below = p, v
			} else if p > x && p < high {
				high, above = p, v
			}
		}
		return below + (above-below)*(x-low)/(high-low)
	}
	for _, x := range places {
		arrival = append(arrival, at(x, arrived))
	}
	for _, x := range slipAt {
		slip = append(slip, at(x, before))
	}
	return arrival, slip, s
}

// A fault ruptures as in SCEC's TPV205, in the plane: when, and how far it slips. The numbers are of
// a spectral boundary integral method (P. H. Geubelle, J. R. Rice, J. Mech. Phys. Solids 43 (1995)
// 1791).
func TestFaultRuptures(t *testing.T) {
	cases.WithAll(t)
	places, slipAt := []float64{-12, -9, -7.5, -4.5, -3, 3, 4.5, 7.5, 9, 12}, []float64{-7.5, 0, 7.5}
	times, slips := []float64{2.8194, 2.1615, 1.8473, 1.5488, 0.98869, 0.98869, 1.5488, 2.6685, 3.4028, 4.3901}, []float64{6.343, 6.9433, 3.5039}
	arrival, slip, s := ruptured(t, 0.125, places, slipAt)
	for k, x := range places {
		t.Logf("%5.1f km: %.3f s, want %.3f (%+.1f %%)", x, arrival[k], times[k], 100*(arrival[k]/times[k]-1))
		if math.Abs(arrival[k]/times[k]-1) > 0.05 {
			t.Errorf("the rupture is at %g km after %g s, want %g", x, arrival[k], times[k])
		}
	}
	for k, x := range slipAt {
		t.Logf("%5.1f km: slip %.3f m, want %.3f (%+.1f %%)", x, slip[k], slips[k], 100*(slip[k]/slips[k]-1))
		if math.Abs(slip[k]/slips[k]-1) > 0.02 {
			t.Errorf("slip at %g km is %g m, want %g", x, slip[k], slips[k])
		}
	}
	if left := s.Relative(s.Energies()); left > 1e-3 {
		t.Errorf("residual %g", left)
	}
}
