package bulk

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/elementary"
)

// Two triangles of soil that are strained unlike, with the same change of volume, flow by their mean
// strain: after Share they have the same elastic volume strain, their mean stress is the law's at
// their mean strain, neither is beyond the yield surface, and the energies have the work that was
// done, to rounding.
func TestPairsShareTheirFlow(t *testing.T) {
	volume := []float64{2, 3}
	for _, name := range []string{"mohr-coulomb", "drucker-prager", "hoek-brown"} {
		for _, s := range samples[name] {
			law, elastic := build(t, name, s).(Sharing), newHooke(s.of)
			p := newPoints(law, PlaneStrain, 2)
			single := newPoints(law, PlaneStrain, 1)
			var last [2][3]float64 // stress
			put, flowed := 0.0, 0
			for k := range 200 {
				grows, shears := math.Sin(float64(k)/30), [2]float64{math.Sin(float64(k) / 7), 0.3 * math.Sin(float64(k)/11)}
				was := [2][2]float64{{logOf(p.in.FXX[0]), logOf(p.in.FYY[0])}, {logOf(p.in.FXX[1]), logOf(p.in.FYY[1])}}
				for i := range 2 {
					p.in.FXX[i], p.in.FYY[i] = elementary.Exp(2e-4*grows+4e-3*shears[i]), elementary.Exp(2e-4*grows-4e-3*shears[i])
				}
				law.Eval(&p.in, &p.out)
				law.Share(&p.in, &p.out, volume)
				sum := func(i int) float64 { return p.out.TXX[i] + p.out.TYY[i] + p.out.TZZ[i] }
				if a, b := sum(0), sum(1); math.Abs(a-b) > 1e-12*math.Abs(a)+3e-15*elastic.Bulk {
					t.Fatalf("%s, step %d: mean stresses %.17g and %.17g", name, k, a/3, b/3)
				}
				// All strains have the same axes: the mean of the logarithms is that of one triangle.
				for c, of := range [][]float64{single.in.FXX, single.in.FYY} {
					in := [][]float64{p.in.FXX, p.in.FYY}[c]
					of[0] = elementary.Exp((volume[0]*logOf(in[0]) + volume[1]*logOf(in[1])) / 5)
				}
				law.Eval(&single.in, &single.out)
				for c, of := range [][]float64{p.out.TXX, p.out.TYY, p.out.TZZ} {
					mean, want := (volume[0]*of[0]+volume[1]*of[1])/5, [][]float64{single.out.TXX, single.out.TYY, single.out.TZZ}[c][0]
					if math.Abs(mean-want) > 1e-9*elastic.Young*4e-3 {
						t.Fatalf("%s, step %d: mean stress %d is %.12g Pa, the law's %.12g", name, k, c, mean, want)
					}
				}
				single.step()
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
				if rounding := 1e-16 * 4e-3 * elastic.Young * float64(k+1); math.Abs(now-put) > 1e-12*math.Abs(now)+rounding {
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
