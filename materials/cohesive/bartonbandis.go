package cohesive

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// BartonBandis is the shear strength of rough joints, mobilised by slip (N. Barton, V. Choubey, Rock
// Mech. 10 (1977) 1; N. Barton, S. Bandis, K. Bakhtar, Int. J. Rock Mech. Min. Sci. 22 (1985) 121).
// Under the pressure p, with i = JRC log10(JCS/p),
//
//	T <= p tan(phi),   phi = phi_r + m(u/u_p) i, at most 70 degrees
//	u_p = L/500 (JRC/L)^0.33                      slip at the peak, L in metres
//
// u is the range of slip, elastic and released. The share m of the roughness that is mobilised is
// linear between the points of their table; before 0.3 u_p friction grows from none to phi_r. Faces
// that slide rise at the angle of half of m i. For blocks of another length than the sample's,
// JRC_n = JRC (L_n/L_0)^(-0.02 JRC) and JCS_n = JCS (L_n/L_0)^(-0.03 JRC) (N. Barton, S. Bandis,
// Proc. 23rd US Symp. Rock Mech. (1982) 739).
type BartonBandis struct {
	Roughness float64 // JRC, of blocks of the length
	Strength  float64 // JCS, of the walls of such blocks [Pa]
	Residual  float64 // phi_r [rad]
	Length    float64 // L: of blocks along the joint [m]
	peak      float64 // u_p [m]
}

// mobilised is m over u/u_p, from 0.3 on.
var mobilised = [...][2]float64{{0.3, 0}, {0.6, 0.75}, {1, 1}, {2, 0.85}, {4, 0.7}, {10, 0.5}, {25, 0.4}, {100, 0}}

// steepest is the greatest angle of friction [rad].
const steepest = 70 * math.Pi / 180

// NewBartonBandis returns the law, or an error that names the violated rule. sample is the length of
// the samples of which roughness and strength are known [m], 0 for that of the blocks.
func NewBartonBandis(b BartonBandis, sample float64) (*BartonBandis, error) {
	switch {
	case !(b.Roughness >= 0 && b.Roughness <= 20):
		return nil, fmt.Errorf("jrc must be from 0 to 20, got %g", b.Roughness)
	case !(b.Strength > 0):
		return nil, fmt.Errorf("jcs must be positive, got %g Pa", b.Strength)
	case !(b.Residual > 0 && b.Residual < steepest):
		return nil, fmt.Errorf("residual_friction_angle must be above 0 and below 70 degrees, got %.4g degrees", 180/math.Pi*b.Residual)
	case !(b.Length > 0):
		return nil, errors.New("block_length must be positive")
	}
	if sample > 0 {
		ratio, jrc := b.Length/sample, b.Roughness
		b.Roughness = float64(jrc * elementary.Pow(ratio, -0.02*jrc))
		b.Strength = float64(b.Strength * elementary.Pow(ratio, -0.03*jrc))
	}
	b.peak = b.Length / 500 * elementary.Pow(max(b.Roughness, 1e-3)/b.Length, 0.33)
	return &b, nil
}

// Peak returns the slip at the peak [m].
func (b *BartonBandis) Peak() float64 { return b.peak }

// angles returns the angle of friction and that of dilation after a path of slip [m] under a
// pressure [Pa], in [rad].
func (b *BartonBandis) angles(path, pressure float64) (friction, dilation float64) {
	x := path / b.peak
	if x <= mobilised[0][0] {
		return float64(b.Residual * max(0, x) / mobilised[0][0]), 0
	}
	m := 0.0
	for k := 1; k < len(mobilised); k++ {
		from, to := mobilised[k-1], mobilised[k]
		if x <= to[0] {
			m = from[1] + float64((to[1]-from[1])*(x-from[0])/(to[0]-from[0]))
			break
		}
	}
	rough := max(0, float64(b.Roughness*math.Pi/180*(elementary.Log(b.Strength/pressure)/math.Ln10)))
	rough = min(float64(m*rough), steepest-b.Residual)
	return b.Residual + rough, 0.5 * rough
}

// Limit returns the shear strength after a path of slip [m] under a pressure [Pa], and the tangent of
// the angle of dilation.
func (b *BartonBandis) Limit(path, pressure float64) (limit, dilation float64) {
	if !(pressure > 0) {
		return 0, 0
	}
	friction, rise := b.angles(path, pressure)
	return float64(pressure * elementary.Tan(friction)), elementary.Tan(rise)
}

// pathOf returns the least path at which the strength under a pressure is some traction [m], that of
// the peak for a greater one.
func (b *BartonBandis) pathOf(traction, pressure float64) float64 {
	low, high := 0.0, b.peak
	for range 60 {
		middle := 0.5 * (low + high)
		if limit, _ := b.Limit(middle, pressure); limit < traction {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// Hydraulic returns the hydraulic aperture of faces at a mechanical one [m]: E^2/JRC^2.5 in
// micrometres, at most E (N. Barton, S. Bandis, K. Bakhtar, 1985).
func (b *BartonBandis) Hydraulic(mechanical float64) float64 {
	if mechanical <= 0 || b.Roughness == 0 {
		return mechanical
	}
	return min(mechanical, float64(1e6*mechanical*mechanical)/elementary.Pow(b.Roughness, 2.5))
}
