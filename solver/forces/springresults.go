package forces

import (
	"math"

	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// SpringForce is the force of a Spring at Time.
type SpringForce struct {
	Name    string
	Force   float64 // force of a spring in one direction; positive pulls its ends together [N]
	Stretch float64 // extension of such a spring beyond its unloaded length [m]
	Push    r2.Vec  // force of a spring in two directions, on the node or body at its second end [N]
	Moment  float64 // moment of a rotation spring [N m]
	Single  bool    // it acts in one direction: Force and Stretch are valid
	Plane   bool    // it acts in two directions: Push is valid
	Turns   bool    // it acts on rotations: Moment is valid
}

// Forces returns the forces of all springs.
func (k *Springs) Forces() (out []SpringForce) {
	for i, b := range k.results {
		p := &k.list[i]
		f := SpringForce{Name: p.Name, Turns: b.turns[1] > b.turns[0]}
		f.Single = p.Axial || p.X != p.Y
		f.Plane = p.X && p.Y
		for j := range k.Units[b.units[0]:b.units[1]] {
			u := &k.Units[b.units[0]+j]
			f.Force += u.Force
			if k.state.Begun[i] {
				f.Stretch += float64(u.Share * u.extent)
			}
			f.Push.X += float64(u.Force * u.Normal.X)
			f.Push.Y += float64(u.Force * u.Normal.Y)
		}
		for _, t := range k.torsions[b.turns[0]:b.turns[1]] {
			f.Moment += t.moment
		}
		if len(p.Links[0].Ends[0].Nodes) == 0 { // its first end is at the ground
			f.Push, f.Moment = r2.Scale(-1, f.Push), -f.Moment
		}
		out = append(out, f)
	}
	return out
}

// ofSprings lists the columns of springs in the history.
var ofSprings = []struct {
	of    *quantity.Quantity
	has   func(f *SpringForce) bool
	value func(f *SpringForce) float64
}{
	{quantity.Must(quantity.Spring, "force"), func(f *SpringForce) bool { return f.Single }, func(f *SpringForce) float64 { return f.Force }},
	{quantity.Must(quantity.Spring, "stretch"), func(f *SpringForce) bool { return f.Single }, func(f *SpringForce) float64 { return f.Stretch }},
	{quantity.Must(quantity.Spring, "force_x"), func(f *SpringForce) bool { return f.Plane }, func(f *SpringForce) float64 { return f.Push.X }},
	{quantity.Must(quantity.Spring, "force_y"), func(f *SpringForce) bool { return f.Plane }, func(f *SpringForce) float64 { return f.Push.Y }},
	{quantity.Must(quantity.Spring, "torque"), func(f *SpringForce) bool { return f.Turns }, func(f *SpringForce) float64 { return f.Moment }},
}

// Columns calls the function with the columns of springs.
func (k *Springs) Columns(each func(c quantity.Column, v float64)) {
	for _, f := range k.Forces() {
		for _, q := range ofSprings {
			if q.has(&f) {
				each(quantity.Column{Quantity: q.of, Owner: f.Name}, q.value(&f))
			}
		}
	}
}

// SpringLine is a spring between two positions.
type SpringLine struct {
	Of         int       // index of the Spring
	Start, Now [2]r2.Vec // positions of its ends [m]
	Force      float64   // positive pulls the ends together; of two components the greater [N]
	Stretch    float64   // extension of that component [m]
	Installed  bool      // it is there
}

// EachLine calls the function with every spring between two positions.
func (k *Springs) EachLine(each func(l *SpringLine)) {
	for i := 0; i < len(k.Units); {
		u := &k.Units[i]
		a, b := &u.Ends[0], &u.Ends[1]
		l := SpringLine{Of: int(u.Of), Installed: k.state.IsThere(int(u.Of), k.Time), Start: [2]r2.Vec{a.At, b.At}, Now: [2]r2.Vec{k.endPosition(a), k.endPosition(b)}}
		for ; i < len(k.Units) && k.Units[i].Link == u.Link; i++ {
			if v := &k.Units[i]; math.Abs(v.Force) >= math.Abs(l.Force) {
				l.Force, l.Stretch = v.Force, v.extent
			}
		}
		if a.At != b.At {
			each(&l)
		}
	}
}

// Lines returns the number of springs between two positions.
func (k *Springs) Lines() int {
	n := 0
	k.EachLine(func(*SpringLine) { n++ })
	return n
}
