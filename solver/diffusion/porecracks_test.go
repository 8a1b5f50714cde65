package diffusion_test

import (
	"math"
	"strings"
	"testing"
)

// A block all of whose sides are open to the air loses as much fluid as its pores lose by volume: at its
// corners there are triangles whose pressure is zero at all nodes.
func TestOpenCorners(t *testing.T) {
	text := "[analysis]\nduration = 2e-4\nplane = \"strain\"\n[pores]\n" + sandstone + rollers
	for _, of := range strings.Fields("left right top bottom") {
		text += "[[pore_pressure]]\non = \"" + of + "\"\nvalue = 0\n"
	}
	s := ran(t, bar(0.1, 0.1, 7, 7), text+"[[load]]\non = \"top\"\npressure = \"10 MPa\"\n")
	if lost, moved := column(s, "pore_mass_residual"), column(s, "pore_mass"); math.Abs(lost) > 1e-12*math.Abs(moved) {
		t.Errorf("of %g kg of fluid %g kg are missing", moved, lost)
	}
}
