package contactnodes

import (
	"math"
	"testing"

	"fdem/boundingbox"
	"fdem/contactnodes/onnodes"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// circle is the outline of a disc, of a hollow where the radius is negative.
func circle(name string, centre r2.Vec, radius float64, n int, turn float64) mesh.Outline {
	o := mesh.Outline{Name: name, Closed: true, Radius: radius, Depth: math.Abs(radius) / 2}
	for i := range n {
		sin, cos := math.Sincos(turn + math.Copysign(2*math.Pi*float64(i)/float64(n), radius))
		o.Points = append(o.Points, r2.Vec{X: centre.X + math.Abs(radius)*cos, Y: centre.Y + math.Abs(radius)*sin})
	}
	return o
}

// A contact node inside a disc, or in the solid around a hollow, has one
// deflection, that of the true circle, whatever the number of edges.
func TestArcsAreCircles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		radius := rapid.SampledFrom([]float64{1, -1}).Draw(rt, "side") * rapid.Float64Range(0.5, 2).Draw(rt, "radius")
		centre := r2.Vec{X: rapid.Float64Range(-1, 1).Draw(rt, "x"), Y: rapid.Float64Range(-1, 1).Draw(rt, "y")}
		n := rapid.IntRange(8, 80).Draw(rt, "edges")
		m := (&mesh.Mesh{}).With([]mesh.Outline{circle("c", centre, radius, n, rapid.Float64Range(0, 1).Draw(rt, "turn"))})
		o := NewOutline(m)
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(rt, "angle")
		away := math.Abs(radius) * rapid.Float64Range(0.55, 1.45).Draw(rt, "away")
		q := r2.Vec{X: centre.X + away*math.Cos(angle), Y: centre.Y + away*math.Sin(angle)}
		want := math.Copysign(1, radius) * (math.Abs(radius) - away)
		found := 0
		for i := range m.Edges {
			var target target
			target.setEdge(o, int32(i), m.X)
			point := target.pointAt(q)
			if point.deflection == 0 {
				continue
			}
			found++
			if math.Abs(point.deflection-want) > 1e-12 {
				rt.Fatalf("edge %d: deflection %g, want %g", i, point.deflection, want)
			}
			e := m.Edges[i]
			foot := between(m.X[e.A], m.X[e.B], point.position)
			if p := r2.Add(foot, r2.Scale(point.depthAt, point.inward)); r2.Norm(r2.Sub(p, q)) > 1e-11 {
				rt.Fatalf("position and depth lead to %v, not to %v", p, q)
			}
			if lo, hi := target.clipElement(r2.Sub(q, r2.Vec{X: 1e-9}), r2.Add(q, r2.Vec{X: 1e-9}), 0); hi < lo {
				rt.Fatal("a contact node in the region was clipped")
			}
		}
		if want > 1e-12 && found != 1 && found != 2 || want < -1e-12 && found != 0 {
			rt.Fatalf("deflection %g: %d edges have the node", want, found)
		}
	})
}

// Contact nodes on an arc lie on the circle, and all forces between a disc and
// a line, or a hollow, balance, their moments too.
func TestForcesOnArcsBalance(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spot := rapid.Float64Range(-0.3, 0.3).Draw(rt, "spot")
		depth := rapid.Float64Range(1e-4, 1e-2).Draw(rt, "depth")
		hollow := rapid.Bool().Draw(rt, "hollow")
		centre := r2.Vec{X: spot, Y: 1 - depth}
		other := mesh.Outline{Name: "line", Points: []r2.Vec{{X: 3}, {X: -3}}, Depth: 0.5}
		if hollow {
			other = circle("hollow", r2.Vec{Y: 2}, -2, 50, 0.1)
			centre = r2.Vec{X: (1 + depth) * math.Sin(spot), Y: 2 - (1+depth)*math.Cos(spot)}
		}
		m := (&mesh.Mesh{}).With([]mesh.Outline{circle("disc", centre, 1, 30, rapid.Float64Range(0, 1).Draw(rt, "turn")), other})
		o := NewOutline(m)
		search := make([]boundingbox.Edge, len(m.Edges))
		all := make([]int32, 0, len(m.Edges))
		for i, e := range m.Edges {
			search[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1}
			all = append(all, int32(i))
		}
		mobility := make([]float64, len(m.X))
		c := New(Config{Name: "t", Contactor: all[:30], Opposite: all[30:], Law: penalty(t, 1e6), Nodes: 20, Thickness: 1,
			Friction: Friction{Kinetic: 0.3, Speed: 1e-3}}, o, m.X, mobility)
		for _, q := range c.Positions(nil, m.X)[:600] {
			if d := r2.Norm(r2.Sub(q, centre)); math.Abs(d-1) > 1e-12 {
				rt.Fatalf("a contact node lies at %g of a unit circle", d)
			}
		}
		out := onnodes.New(len(m.X), false)
		v := make([]r2.Vec, len(m.X))
		for i := range 30 { // the disc turns
			v[i] = r2.Vec{X: -5 * (m.X[i].Y - centre.Y), Y: 5 * (m.X[i].X - centre.X)}
		}
		if err := c.AddForces(out, m.X, v, boundingbox.New(search, o.Reach, 0).Pairs(m.X), 0, 1e-6, Prediction{}); err != nil {
			rt.Fatal(err)
		}
		var sum r2.Vec
		moment, onDisc := 0.0, 0.0
		for i := range m.X {
			f := out.At(int32(i)).F
			sum = r2.Add(sum, f)
			moment += r2.Cross(m.X[i], f)
			if i < 30 {
				onDisc += r2.Cross(r2.Sub(m.X[i], centre), f)
			}
		}
		if c.Active == 0 || r2.Norm(sum) > 1e-9*c.Normal || math.Abs(moment) > 1e-9*c.Normal {
			rt.Fatalf("%d contact nodes: forces sum to %v, moments to %g, normal force %g", c.Active, sum, moment, c.Normal)
		}
		// all normals of a line's contact are parallel, of a hollow's they
		// meet in its centre: only friction turns the disc
		if want := -0.3 * c.Normal; hollow && math.Abs(onDisc-want) > 0.02*math.Abs(want) || !hollow && math.Abs(onDisc-want) > 0.02*math.Abs(want) {
			rt.Fatalf("the moment on the disc is %g, want about %g", onDisc, want)
		}
		theta := math.Acos(1 - depth) // the pressed segment's area
		if want := 1e6 * (theta - (1-depth)*math.Sin(theta)); !hollow && math.Abs(c.Normal-want) > 0.02*want+1e-3*want/depth*0.02 {
			rt.Fatalf("normal force %g, want %g", c.Normal, want)
		}
	})
}
