package impulses_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The angles of repose and of avalanches of a bed of discs with friction 0.5 in a bin that is tilted: S. Deboeuf and
// others (Powders and Grains 2005), with 4,000 discs by contact dynamics, the mean of 50 beds 120 discs wide and 35
// deep, have 15 degrees after avalanches and 21 degrees at which they begin. Beds here are half as large, and single
// ones differ by 2 degrees.
func TestAngleOfRepose(t *testing.T) {
	if !*whole {
		t.Skip("two minutes: go test ./solver/impulses -whole -run '^TestAngleOfRepose$'")
	}
	rests := 0.0
	for seed := 1; seed <= 2; seed++ {
		_, rest := tilted(t, seed, 30, 25)
		t.Logf("bed %d, tilted by 25 degrees in 0.8 s, rests at %.1f degrees", seed, rest)
		rests += rest / 2
	}
	begins, _ := tilted(t, 1, 6, 30)
	t.Logf("tilted by 6 degrees a second the surface falls from %.1f degrees", begins)
	if math.Abs(rests-15) > 2 || math.Abs(begins-21) > 2 {
		t.Errorf("the angle of repose is %g degrees, avalanches begin at %g", rests, begins)
	}
}

// tilted tilts a bin of discs with a rate, in degrees a second, up to an angle or the first avalanche. It returns
// the greatest inclination of the surface and that at the end [degrees].
func tilted(t *testing.T, seed int, rate, upTo float64) (most, last float64) {
	const d, wide, deep, settle, wall, bins = 0.01, 0.9, 0.34, 0.6, 0.02, 12
	s := begin(settle+upTo/rate+1.5, under(0), "step = 6e-4\nimpulses = { sweeps = 30 }")
	corners := []string{}
	for _, c := range [][2]float64{{-wide/2 - wall, -wall}, {wide/2 + wall, -wall}, {wide/2 + wall, deep}, {wide / 2, deep}, {wide / 2, 0}, {-wide / 2, 0}, {-wide / 2, deep}, {-wide/2 - wall, deep}} {
		corners = append(corners, fmt.Sprintf("[%v, %v]", c[0], c[1]))
	}
	const base, sides = (wide + 2*wall) * wall, 2 * wall * deep
	const middle = (sides*deep/2 - base*wall/2) / (base + sides) // height of the bin's centre
	fmt.Fprintf(s, "[[rigid]]\nname = \"bin\"\nshape = \"polygon\"\ncorners = [%s]\nmotion = [\"0\", \"%v\", \"%v*min(%v, max(0, t - %v))\"]\n", strings.Join(corners, ", "), middle, rate*math.Pi/180, upTo/rate, settle)
	fmt.Fprintf(s, "[[particle]]\nname = \"p\"\nposition = [%v, 0.0063]\nradius = [\"4 mm\", \"6 mm\"]\ngrid = [73, 27]\nspacing = 0.0123\njitter = 1e-4\nseed = %d\ndensity = 2500\n", -wide/2+0.0063, seed)
	r := start(t, s.contact(0.5, 0))
	r.to(settle, nil)
	look := settle
	r.to(r.Duration, func() bool {
		if r.Time < look {
			return false
		}
		look += 0.05
		tilt := min(rate*(r.Time-settle), upTo)
		sin, cos := math.Sincos(-tilt * math.Pi / 180)
		var top [bins]float64 // heights of the highest discs above the bin's floor
		for i := range r.Rigids {
			if m := &r.RigidMotions[i]; strings.HasPrefix(r.Rigids[i].Name, "p") {
				x, y := m.Centre.X, m.Centre.Y-middle
				if b := int(bins * ((cos*x-sin*y)/wide + 0.5)); b >= 0 && b < bins {
					top[b] = max(top[b], sin*x+cos*y+middle)
				}
			}
		}
		var xs []float64
		for b := 2; b < bins-2; b++ { // away from the walls
			xs = append(xs, (float64(b)+0.5)/bins*wide)
		}
		slope, _ := line(xs, top[2:bins-2])
		last = tilt + math.Atan(slope)*180/math.Pi
		if tilt > 14 && tilt < upTo && rate < 10 && last < most-0.5 {
			return true
		}
		most = max(most, last)
		return false
	})
	return most, last
}
