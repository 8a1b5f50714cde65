package halves

import (
	"fdem/contactnodes/onnodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spreading is where the forces of halves are added, and what else is needed for that. The assembly
// kernel depends on the order and size of the fields before Pages.
type Spreading struct {
	Sums          // of all halves, one after the other
	Stiffest Quad // greatest stiffness over that along the normal
	Damping  Quad // damping over the stiffness [s]
	Energy   Quad // least energy to which losses are referred [J]
	Speed2   Quad // half the greatest squared speed [m2/s2]
	One, Two Quad

	Pages  []*[onnodes.PageNodes]onnodes.Force // those of all nodes of the halves are there
	Loaded []uint64
	Ratio  []float64 // per grip: its friction over its normal force; at least one
	Drags  []Drag    // of the nodes of halves in contact, appended; there is space for all
}

// Drag is the friction of a node of a half in contact, for the work that it does. The assembly kernel depends on the
// order and size of these fields.
type Drag struct {
	Nodes          [4]int32
	AlongX, AlongY float64 // its direction on the own edge
	Friction       float64 // [N]
	Position, Foot float64
	Couple         float64 // see Node
}

// powerPlain returns the power of the friction of halves at velocities v of the nodes, and a sum before [W].
func powerPlain(drags []Drag, v []r2.Vec, sum float64) float64 {
	for i := range drags {
		d := &drags[i]
		p, q, c, e := v[d.Nodes[0]], v[d.Nodes[1]], v[d.Nodes[2]], v[d.Nodes[3]]
		ex, ey := e.X-c.X, e.Y-c.Y
		x := p.X + float64(d.Position*(q.X-p.X)) - (c.X + float64(d.Foot*ex))
		y := p.Y + float64(d.Position*(q.Y-p.Y)) - (c.Y + float64(d.Foot*ey))
		turn := float64(d.AlongX*ey) - float64(d.AlongY*ex)
		sum += float64(d.Friction * (float64(d.AlongX*x) + float64(d.AlongY*y) - float64(d.Couple*turn)))
	}
	return sum
}

// Set sets the values and clears the sums.
func (s *Spreading) Set(stiffest, damping, energy, speed float64, out *onnodes.Forces, ratio []float64, drags []Drag) {
	pages, loaded := out.Pages()
	*s = Spreading{
		Stiffest: all(stiffest), Damping: all(damping), Energy: all(energy), Speed2: all(0.5 * speed * speed),
		One: all(1), Two: all(2),
		Pages: pages, Loaded: loaded, Ratio: ratio, Drags: drags,
	}
}

// Sums are sums of halves.
type Sums struct {
	Normal, Friction float64 // [N]
	Stored           float64 // [J]
	Loss             float64 // see contactnodes.Contact.ImpactLoss
}

func spreadPlain(f []Four, hs []Half, s *Spreading) {
	for i := range f {
		for l := range Lanes {
			f[i].spread(l, &hs[f[i].Half[l]], s)
		}
	}
}

// spread adds the forces of the half in lane l.
func (f *Four) spread(l int, h *Half, s *Spreading) {
	ax, ay := f.AlongX[l], f.AlongY[l]
	var x, y, bx, by, dx, dy, friction [2]float64 // on the own edge; on its B; on the other edge's B, reversed
	for i := range f.Nodes {
		n := &f.Nodes[i]
		normal := n.Normal[l]
		friction[i] = float64(normal * s.Ratio[f.Grip[i][l]])
		x[i], y[i] = float64(friction[i]*ax)+float64(normal*ay), float64(friction[i]*ay)-float64(normal*ax)
		couple := friction[i] * n.Couple[l]
		cx, cy := 0-float64(couple*ay), float64(couple*ax)
		bx[i], by[i] = float64(n.Position[l]*x[i]), float64(n.Position[l]*y[i])
		dx[i], dy[i] = float64(n.Foot[l]*x[i])+cx, float64(n.Foot[l]*y[i])+cy
	}
	sumX, sumY := x[0]+x[1], y[0]+y[1]
	toBX, toBY := bx[0]+bx[1], by[0]+by[1]
	toDX, toDY := dx[0]+dx[1], dy[0]+dy[1]
	stiff := f.Sum[l] * h.Stiffness
	loss := stiff * s.Stiffest[l]
	stiff = s.Two[l] * loss
	damp := s.Two[l] * float64(float64(f.Sum[l]*h.Stiffness)*s.Damping[l])
	at, atFoot := f.Ahead[l], f.AheadFoot[l]

	energy := above(h.Mass*s.Speed2[l], s.Energy[l])
	lost := float64(loss*float64(f.Closing[l]*f.Closing[l])) / choose(energy > 0, energy, 1)
	if f.Near&(1<<l) == 0 {
		return
	}
	s.Normal += f.Normal[l]
	s.Friction += friction[0] + friction[1]
	s.Stored += f.Energy[l]
	s.Loss += choose(energy > 0, lost, 0)
	if f.Touching&(1<<l) != 0 {
		for i := range f.Nodes {
			n := &f.Nodes[i]
			s.Drags = append(s.Drags, Drag{h.Nodes, ax, ay, friction[i], n.Position[l], n.Foot[l], n.Couple[l]})
		}
	}
	s.add(h.Nodes[0], sumX-toBX, sumY-toBY, float64((1-at)*stiff), float64((1-at)*damp))
	s.add(h.Nodes[1], toBX, toBY, float64(at*stiff), float64(at*damp))
	s.add(h.Nodes[2], toDX-sumX, toDY-sumY, float64((1-atFoot)*stiff), float64((1-atFoot)*damp))
	s.add(h.Nodes[3], 0-toDX, 0-toDY, float64(atFoot*stiff), float64(atFoot*damp))
}

func (s *Spreading) add(n int32, x, y, stiffness, damping float64) {
	s.Loaded[n>>6] |= 1 << (n & 63)
	on := &s.Pages[n>>6][n&63]
	on.F.X += x
	on.F.Y += y
	on.Stiffness += stiffness
	on.Damping += damping
}
