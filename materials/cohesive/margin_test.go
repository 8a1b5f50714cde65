package cohesive

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Within its margin no change of stress, in any direction, uses more than the level of strength.
// For a body that is pressed or pulled along one axis, the margin is nearly the greatest possible.
func TestRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string, from, to float64) float64 { return rapid.Float64Range(from, to).Draw(t, what) }
		s := Strength{draw("tension", 0.1, 10), draw("cohesion", 0.1, 10), draw("friction", 0, 2)}
		level := draw("level", 0.3, 1.5)
		normal, shear := draw("normal", -20, 5), draw("shear", -10, 10)
		room := s.PlaneMargin(normal, shear, level)
		if used := s.Used(normal, shear); used > level && room > 0 || used < level*(1-1e-9) && !(room > 0) {
			t.Fatalf("a plane uses %g, of a level of %g, and has room %g", used, level, room)
		}
		angle := draw("way", 0, 2*math.Pi)
		if room > 0 {
			sin, cos := math.Sincos(angle)
			if used := s.Used(normal+room*cos, shear+room*sin); used > level*(1+1e-12) {
				t.Fatalf("a plane uses %g within its room", used)
			}
		}
		xx, yy, xy := draw("xx", -10, 3), draw("yy", -10, 3), draw("xy", -5, 5)
		room = s.Margin(xx, yy, xy, level)
		if used := s.Greatest(xx, yy, xy); used > level*(1+1e-12) && room > 0 || used < level*(1-1e-9) && !(room > 0) {
			t.Fatalf("a stress uses %g, of a level of %g, and has room %g", used, level, room)
		}
		if room > 0 {
			dx, dy, ds := math.Cos(angle), draw("dyy", -1, 1), draw("dxy", -1, 1)
			by := room / math.Sqrt(dx*dx+dy*dy+2*ds*ds)
			if used := s.Greatest(xx+by*dx, yy+by*dy, xy+by*ds); used > level*(1+1e-12) {
				t.Fatalf("a stress uses %g within its room", used)
			}
		}
	})
	s := Strength{Tension: 6, Cohesion: 20, Friction: 0.7}
	closed := 2 * s.Cohesion * (math.Sqrt(1+s.Friction*s.Friction) + s.Friction)
	near(t, "room in tension", s.Margin(0.9*s.Tension, 0, 0, 1), 0.1*s.Tension, 1e-14)
	// along the axis r h + friction p is h + friction over 2 of the change
	h := math.Sqrt(1 + s.Friction*s.Friction)
	near(t, "room in compression", s.Margin(-0.9*closed, 0, 0, 1), 0.1*closed*(h-s.Friction)/2/math.Sqrt((h*h+s.Friction*s.Friction)/2), 1e-12)
	near(t, "room of a plane that is pressed", s.PlaneMargin(-10, 20, 1), 7/h, 1e-13)
}
