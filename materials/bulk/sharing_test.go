package bulk

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/elementary"
)

// Two triangles of soil that are strained unlike, with the same change of volume: after Share they
// have the same elastic volume strain, the pair's mean stress is what it was, and the energies have
// the work that was done, to rounding.
func TestPairsShareTheirElasticVolume(t *testing.T) {
	volume := []float64{2, 3}
	for _, name := range []string{"mohr-coulomb", "drucker-prager"} {
		for _, s := range samples[name] {
			law, elastic := build(t, name, s).(Sharing), newHooke(s.of)
			p := newPoints(law, PlaneStrain, 2)
			var last [2][3]float64 // stress
			put, flowed := 0.0, 0
			for k := range 200 {
				grows, shears := math.Sin(float64(k)/30), [2]float64{math.Sin(float64(k) / 7), 0.3 * math.Sin(float64(k)/11)}
				was := [2][2]float64{{logOf(p.in.FXX[0]), logOf(p.in.FYY[0])}, {logOf(p.in.FXX[1]), logOf(p.in.FYY[1])}}
				for i := range 2 {
					p.in.FXX[i], p.in.FYY[i] = elementary.Exp(2e-4*grows+4e-3*shears[i]), elementary.Exp(2e-4*grows-4e-3*shears[i])
				}
				law.Eval(&p.in, &p.out)
				mean := volume[0]*elastic.volumeStrain(&p.out, 0) + volume[1]*elastic.volumeStrain(&p.out, 1)
				law.Share(&p.in, &p.out, volume)
				a, b := elastic.volumeStrain(&p.out, 0), elastic.volumeStrain(&p.out, 1)
				if math.Abs(a-b) > 1e-12*math.Abs(a)+1e-15 || math.Abs(volume[0]*a+volume[1]*b-mean) > 1e-14 {
					t.Fatalf("%s, step %d: elastic volume strains %.17g and %.17g, mean %.17g", name, k, a, b, mean/5)
				}
				now := 0.0
				for i, v := range volume {
					stress := [3]float64{p.out.TXX[i], p.out.TYY[i], p.out.TZZ[i]}
					if k > 0 {
						put += v * 0.5 * ((stress[0]+last[i][0])*(logOf(p.in.FXX[i])-was[i][0]) + (stress[1]+last[i][1])*(logOf(p.in.FYY[i])-was[i][1]))
					} else {
						put += v * 0.5 * (stress[0]*logOf(p.in.FXX[i]) + stress[1]*logOf(p.in.FYY[i]))
					}
					last[i] = stress
					now += v * (p.out.Energy[i] + p.out.Mem[workAt][i])
				}
				if math.Abs(now-put) > 1e-12*math.Abs(now) {
					t.Fatalf("%s, step %d: %.15g J held and lost, %.15g put in", name, k, now, put)
				}
				if p.out.Mem[strainAt][0] != p.in.Mem[strainAt][0] {
					flowed++
				}
				p.step()
			}
			if flowed < 30 {
				t.Fatalf("%s flows in %d steps", name, flowed)
			}
			law.Eval(&p.in, &p.out)
			kept := slices.Clone(p.out.TXX)
			if law.Share(&p.in, &p.out, []float64{2, 0}); !slices.Equal(p.out.TXX, kept) {
				t.Errorf("%s: a triangle without a partner has changed", name)
			}
		}
	}
}

func logOf(f float64) float64 {
	if f == 0 {
		return 0
	}
	return elementary.Log(f)
}
