package deck

import (
	"math"
	"strings"
	"testing"
)

// No bytes make the reader of particles' files panic; what it takes is finite.
func FuzzScanBalls(f *testing.F) {
	for _, s := range []string{"x,y\n0,1\n", "x [mm],y [mm],radius\n1,2,1 mm\n", "# c\n\ufeffx,y,vx\n1,2,3\n", "x,y\n1\n", "x,x\n", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		balls, _, err := scanBalls("f.csv", strings.NewReader(s), ball{radius: 1})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") {
				t.Errorf("message %q does not name the file", err)
			}
			return
		}
		for _, b := range balls {
			for _, v := range []float64{b.x.X, b.x.Y, b.v.X, b.v.Y, b.radius, b.spin} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%q gives %+v", s, b)
				}
			}
		}
	})
}
