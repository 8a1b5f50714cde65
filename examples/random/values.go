package random

import (
	"math"
	"strconv"
	"strings"
)

// dim has the exponents of length, time and mass in a unit.
type dim struct{ length, time, mass int }

var (
	none         = dim{}
	length       = dim{1, 0, 0}
	seconds      = dim{0, 1, 0}
	rate         = dim{0, -1, 0}
	speed        = dim{1, -1, 0}
	acceleration = dim{1, -2, 0}
	density      = dim{-3, 0, 1}
	pressure     = dim{-1, -2, 1}
	foundation   = dim{-2, -2, 1} // pressure over length
	surface      = dim{0, -2, 1}  // energy over area, force over length
	force        = dim{1, -2, 1}
	viscosity    = dim{-1, -1, 1}
	dashpot      = dim{0, -1, 1}
	impedance    = dim{-2, -1, 1} // pressure over speed
	flow         = dim{3, -1, 0}
	permeability = dim{2, 0, 0}
	perPressure  = dim{1, 2, -1}
	conductivity = dim{1, -3, 1} // a kelvin is one in all units
	capacity     = dim{2, -2, 0}
	heatFlux     = dim{0, -3, 1}
	heatSource   = dim{-1, -3, 1}
	resistance   = dim{0, 3, -1}
)

// Frame is another way to put a model: turned by quarters of a turn anticlockwise after it has
// been mirrored at the y axis, moved, and in units that are powers of two of the first ones.
// A unit of length of n means that lengths become 2^n times as large.
type Frame struct {
	Quarters           int
	Mirror             bool
	X, Y               float64 // by how much it is moved [m]
	Length, Time, Mass int
}

// scale returns a number in the units of the frame.
func (f Frame) scale(v float64, d dim) float64 {
	return math.Ldexp(v, f.Length*d.length+f.Time*d.time+f.Mass*d.mass)
}

// turn returns the components of a vector in the directions of the frame.
func (f Frame) turn(x, y float64) (float64, float64) {
	if f.Mirror {
		x = -x
	}
	for range f.Quarters {
		x, y = -y, x
	}
	return x, y
}

// value is the value of a key. It knows how it is written and what it becomes in another
// frame.
type value interface {
	String() string
	in(f Frame) value
}

// word is what is the same in every frame, as a deck writes it.
type word string

func (w word) String() string { return string(w) }
func (w word) in(Frame) value { return w }

// quoted is a text.
func quoted(s string) word { return word(strconv.Quote(s)) }

// quantity is a number with a dimension.
type quantity struct {
	v   float64
	dim dim
}

func number(v float64) string     { return strconv.FormatFloat(v, 'g', -1, 64) }
func (q quantity) String() string { return number(q.v) }
func (q quantity) in(f Frame) value {
	return quantity{f.scale(q.v, q.dim), q.dim}
}

// turning is a quantity about the normal of the plane: it changes its sign in a mirror.
type turning struct{ quantity }

func (t turning) in(f Frame) value {
	t.v = f.scale(t.v, t.dim)
	if f.Mirror {
		t.v = -t.v
	}
	return t
}

// direction is the angle of a line in the plane in degrees.
type direction float64

func (d direction) String() string { return number(float64(d)) }
func (d direction) in(f Frame) value {
	if f.Mirror {
		d = -d
	}
	if f.Quarters%2 == 1 {
		if d > 0 {
			return d - 90
		}
		return d + 90
	}
	return d
}

// vector is a pair of components. One that is free is "free". A place also moves with the frame.
type vector struct {
	x, y         float64
	dim          dim
	freeX, freeY bool
	place        bool
}

func (v vector) String() string {
	x, y := number(v.x), number(v.y)
	if v.freeX {
		x = `"free"`
	}
	if v.freeY {
		y = `"free"`
	}
	return "[" + x + ", " + y + "]"
}

func (v vector) in(f Frame) value {
	v.x, v.y = f.turn(v.x, v.y)
	if f.Quarters%2 == 1 {
		v.freeX, v.freeY = v.freeY, v.freeX
	}
	if v.place {
		v.x, v.y = v.x+f.X, v.y+f.Y
	}
	v.x, v.y = f.scale(v.x, v.dim), f.scale(v.y, v.dim)
	return v
}

// tensor is a stress: xx, yy and xy.
type tensor struct{ xx, yy, xy float64 }

func (t tensor) String() string {
	return "[" + number(t.xx) + ", " + number(t.yy) + ", " + number(t.xy) + "]"
}

func (t tensor) in(f Frame) value {
	if f.Mirror {
		t.xy = -t.xy
	}
	if f.Quarters%2 == 1 {
		t.xx, t.yy, t.xy = t.yy, t.xx, -t.xy
	}
	return tensor{f.scale(t.xx, pressure), f.scale(t.yy, pressure), f.scale(t.xy, pressure)}
}

// components are names of directions.
type components struct{ x, y bool }

func (c components) String() string {
	var names []string
	if c.x {
		names = append(names, `"x"`)
	}
	if c.y {
		names = append(names, `"y"`)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (c components) in(f Frame) value {
	if f.Quarters%2 == 1 {
		c.x, c.y = c.y, c.x
	}
	return c
}

// list has values one after the other.
type list []value

func (l list) String() string {
	texts := make([]string, len(l))
	for i, v := range l {
		texts[i] = v.String()
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (l list) in(f Frame) value {
	out := make(list, len(l))
	for i, v := range l {
		out[i] = v.in(f)
	}
	return out
}

// corners are the corners of a polygon, anticlockwise also in a mirror.
type corners list

func (c corners) String() string { return list(c).String() }
func (c corners) in(f Frame) value {
	out := list(c).in(f).(list)
	if f.Mirror {
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	return corners(out)
}

// Key is a key of a block or of a table with its value.
type Key struct {
	Name  string
	Value value
}

// table is an inline table.
type table []Key

func (t table) String() string {
	texts := make([]string, len(t))
	for i, k := range t {
		texts[i] = k.Name + " = " + k.Value.String()
	}
	return "{ " + strings.Join(texts, ", ") + " }"
}

func (t table) in(f Frame) value {
	out := make(table, len(t))
	for i, k := range t {
		out[i] = Key{k.Name, k.Value.in(f)}
	}
	return out
}

// handed is the side of a line on which its solid lies, "left" or "right".
type handed string

func (h handed) String() string { return strconv.Quote(string(h)) }
func (h handed) in(f Frame) value {
	switch {
	case !f.Mirror:
		return h
	case h == "left":
		return handed("right")
	}
	return handed("left")
}
