package flow

import (
	"cmp"
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/materials/elementary"
	"fdem/materials/fluid"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// How fluids get into open cracks, from vertex to vertex, and out of them.

// fill adds to a fluid the open ends of cracks that it can reach, from vertex to vertex along edges
// that are open at both ends.
func (k *Fluids) fill(c *cavity) {
	if k.Fracture == nil || !k.Stepping {
		return
	}
	k.stamp++
	k.queue = append(k.queue[:0], c.wall.vertices...)
	for _, v := range k.queue {
		k.reached[v] = k.stamp
	}
	before := len(c.Filled)
	c.outlet = 0
	for len(k.queue) > 0 {
		v := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if k.outside[v] || c.drains != nil && c.drains[v] {
			k.vent(c, v)
			k.addOutflow(c, v)
		}
		for e := range k.zone.OpenEdges(int32(v)) {
			if c.Enters != nil && !c.Enters[k.Fracture.Edges[e].Region] {
				continue
			}
			k.fillEdge(c, before, e, v)
		}
	}
	slices.SortFunc(c.Filled, func(p, q filled) int { return cmp.Compare(p.edge, q.edge) })
}

// vent records that a fluid has reached the open air at a vertex.
func (k *Fluids) vent(c *cavity, v nodes.Vertex) {
	if c.Flow != nil {
		c.Flow.vents = append(c.Flow.vents, int32(v))
	}
	if c.warned || c.drains != nil && c.drains[v] {
		return
	}
	c.warned = true
	becomes := "it flows out from now on"
	switch {
	case c.Flow != nil:
		becomes = "its pressure there is 0 from now on"
	case c.Equation == nil:
		becomes = "what flows out is not counted, its pressure is as given"
	}
	x := k.Mesh.X[v]
	k.Note("the fluid %q has come to the open air at (%.6g, %.6g) m, t = %.6g s: %s", c.Name, x.X, x.Y, k.Time, becomes)
}

// addOutflow adds the openings at a vertex to the area through which a fluid flows out.
func (k *Fluids) addOutflow(c *cavity, v nodes.Vertex) {
	if c.Flow != nil {
		return
	}
	for e := range k.zone.OpenEdges(int32(v)) {
		if c.Enters != nil && !c.Enters[k.Fracture.Edges[e].Region] {
			continue
		}
		if ch, ok := k.zone.Channel(e, k.X); ok {
			end := 0
			if ch.Vertices[1] == int32(v) {
				end = 1
			}
			c.outlet += float64(k.Thickness * max(leastAperture, ch.Opening[end]+k.residual(c, e)))
		}
	}
}

// fillEdge adds an edge that is open at a vertex to a fluid. The first entries of filled, up to
// before, were there before this search, in order.
func (k *Fluids) fillEdge(c *cavity, before int, edge int32, v nodes.Vertex) {
	of := &k.Fracture.Edges[edge]
	at, there := slices.BinarySearchFunc(c.Filled[:before], edge, func(f filled, e int32) int { return cmp.Compare(f.edge, e) })
	if !there {
		at = before + slices.IndexFunc(c.Filled[before:], func(f filled) bool { return f.edge == edge })
		there = at >= before
	}
	if there && !math.IsNaN(c.Filled[at].Volume[0]) && !math.IsNaN(c.Filled[at].Volume[1]) {
		k.goOn(c, of.From+of.To-int32(v))
		return
	}
	ch, ok := k.zone.Channel(edge, k.X)
	if !ok {
		if _, liquid := c.Equation.(fluid.Liquid); liquid || c.Flow != nil {
			k.vent(c, v)
			c.outlet += float64(0.5 * k.Thickness * elementary.Norm(r2.Sub(k.Mesh.X[of.To], k.Mesh.X[of.From])))
		}
		return
	}
	end := 0
	if ch.Vertices[1] == int32(v) {
		end = 1
	}
	if !there || math.IsNaN(c.Filled[at].Volume[end]) {
		if k.zone.Pressure(edge)[end] <= k.zone.PorePressure(edge, end) && (ch.Opening[end]+k.residual(c, edge) < c.Entry || k.residual(c, edge) == 0 && k.zone.ContactPressure(edge, end, ch.Opening[end]) > k.beside(c, edge, end, v)) {
			return
		}
		if !there {
			at = len(c.Filled)
			c.Filled = append(c.Filled, filled{edge: edge, Area: ch.Area, Volume: [2]float64{math.NaN(), math.NaN()}})
		}
		wide := ch.Opening[end] + k.residual(c, edge)
		c.Filled[at].shut[end], c.Filled[at].since[end] = max(0, -wide), k.Time
		c.Filled[at].Volume[end] = float64(ch.Area * max(0, wide))
		c.Filled[at].joined[end] = k.volumeGrowth(&ch, end)
		k.begin(c, edge, end, c.Filled[at].Volume[end])
	}
	if ch.Open[1-end] {
		k.goOn(c, ch.Vertices[1-end])
	}
}

// goOn continues the search at a vertex, if no other fluid has reached it.
func (k *Fluids) goOn(c *cavity, v int32) {
	if k.reached[v] != k.stamp && (k.owner[v] == 0 || k.owner[v] == c.number) {
		k.reached[v], k.owner[v] = k.stamp, c.number
		k.queue = append(k.queue, nodes.Vertex(v))
	}
}

// volumeGrowth returns the growth of the volume of an end of an edge over the last step [m3].
func (k *Fluids) volumeGrowth(ch *fracture.Channel, end int) (volume float64) {
	for i, g := range ch.Gradient(end) {
		v := k.V[ch.Nodes[i]]
		volume += float64(k.Last * (float64(g.X*v.X) + float64(g.Y*v.Y)))
	}
	return volume
}

// beside returns the greatest pressure of a fluid at a vertex or at the far end of an edge there
// [Pa].
func (k *Fluids) beside(c *cavity, edge int32, end int, v nodes.Vertex) float64 {
	if slices.Contains(c.wall.vertices, v) {
		return c.last
	}
	p := k.zone.Pressure(edge)[1-end]
	for e := range k.zone.OpenEdges(int32(v)) {
		at := 0
		if k.Fracture.Edges[e].To == int32(v) {
			at = 1
		}
		p = max(p, k.zone.Pressure(e)[at])
	}
	return p
}

// begin starts a fluid in an end of an edge. The end is dry, except in joints that are full at the
// start.
func (k *Fluids) begin(c *cavity, edge int32, end int, volume float64) {
	joint := k.residual(c, edge) > 0
	if joint && c.Full && k.N == 0 && c.Start > 0 {
		k.zone.FillJoint(edge, end, c.Start)
	}
	switch {
	case c.Flow != nil:
		c.Flow.changed = true
		c.Flow.full = c.Full && k.N == 0
	case joint && c.Full && k.N == 0 && c.Equation != nil:
		in, v := volume/c.atStart(), c.atStart()
		c.amount += in
		c.steps += float64(in * c.Equation.At(v).Energy) // the fluid exists from the start
	}
}
