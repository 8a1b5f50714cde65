package view

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What passes a sieve is the mass of all fragments up to its size, whatever their order.
func TestPassing(t *testing.T) {
	x, y := passing([]float64{3, 1, 2, 1}, []float64{4, 1, 2, 3})
	if !slices.Equal(x, []float64{1, 2, 3}) || !slices.Equal(y, []float64{0.4, 0.6, 1}) {
		t.Errorf("sizes %v, shares %v", x, y)
	}
}

// The sizes of fragments are diameters of discs of their area; a file that is no
// list of fragments is refused with its name.
func TestReadFragments(t *testing.T) {
	path := filepath.Join(t.TempDir(), fragmentsName)
	put(t, path, "time,fragment,body,mass,area\n0,0,\"a, b\",2,3.141592653589793\n0,1,b,0.5,0.25\n")
	size, mass, err := readFragments(path)
	if err != nil || !slices.Equal(mass, []float64{2, 0.5}) || math.Abs(size[0]-2) > 1e-15 || math.Abs(size[1]-1/math.Sqrt(math.Pi)) > 1e-15 {
		t.Errorf("sizes %v, masses %v, %v", size, mass, err)
	}
	for _, bad := range []string{"time,fragment\n0,1\n", "mass,area\n1,0\n", "mass,area\n1,x\n", "mass,area\n1\n"} {
		put(t, path, bad)
		if _, _, err := readFragments(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A fragment keeps its colour when another one breaks off it.
func TestShades(t *testing.T) {
	before, after := shades([]float64{0, 0, 0, 1}), shades([]float64{0, 1, 0, 2})
	if before[0] != after[0] || before[3] != after[3] || after[1] == after[0] {
		t.Errorf("shades %v, then %v", before, after)
	}
}
