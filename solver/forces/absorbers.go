package forces

import (
	"errors"
	"math"
	"slices"

	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Absorbers are the viscous boundary of Lysmer and Kuhlemeyer (1969). The traction on an
// edge is -rho c_p v_n normal to it and -rho c_s v_s along it. A plane wave at normal
// incidence is absorbed completely, one at oblique incidence mostly.
//
// Leapfrog has velocities half a step before and after the forces. The force at Time uses
// the velocity at Time, which depends on that force. Per node
//
//	(I + h W C) v = V + h W F,  f = -C v,  h half of the last step, W the inverse mass,
//
// holds, so that C may be arbitrarily large and the step is as long as without
// absorption.
type Absorbers struct {
	system.Idle
	*nodes.Field
	vertices  []nodes.Vertex // of the edges
	viscosity []viscosity    // of each of these vertices
	ends      [][]edgeEnd    // and of the ends of edges there
	NodeForce []r2.Vec       // on every node at Time [N]
	agree     func()         // makes the accelerations of tied nodes agree again; nil if no tied node absorbs
	Taken     float64        // energy absorbed until Time [J]
}

// viscosity is a symmetric matrix, force divided by velocity [N s/m].
type viscosity struct{ xx, yy, xy float64 }

func (c *viscosity) add(other viscosity) {
	c.xx += other.xx
	c.yy += other.yy
	c.xy += other.xy
}

// edgeEnd is the viscosity of one end of an edge of a triangle.
type edgeEnd struct {
	triangle int32
	viscosity
}

// NewAbsorbers makes the absorbing edges. Some of their nodes may be tied.
func NewAbsorbers(s system.View, list []models.Absorb, by *constraints.Ties) *Absorbers {
	k := &Absorbers{Field: s.Field}
	if len(list) == 0 {
		return k
	}
	k.NodeForce = s.Forces()
	index := map[int32]int{} // looked up, never iterated
	for _, a := range list {
		for _, i := range a.Edges {
			e := &s.Mesh.Edges[i]
			of := &s.Materials[s.Model.Bodies[e.Body].Material]
			m := of.Moduli(s.Plane)
			along := s.Mesh.Along(i)
			l := math.Sqrt(float64(along.X*along.X) + float64(along.Y*along.Y))
			t := r2.Vec{X: along.X / l, Y: along.Y / l}
			half := 0.5 * s.Thickness * l
			normal, shear := float64(half*math.Sqrt(of.Density*m.C11)), float64(half*math.Sqrt(of.Density*m.G))
			c := viscosity{ // the normal is (t.Y, -t.X)
				xx: float64(normal*t.Y*t.Y) + float64(shear*t.X*t.X),
				yy: float64(normal*t.X*t.X) + float64(shear*t.Y*t.Y),
				xy: float64((shear - normal) * t.X * t.Y),
			}
			for _, n := range [2]int32{e.A, e.B} {
				at, ok := index[n]
				if !ok {
					at = len(k.vertices)
					index[n] = at
					s.SetImplicit(nodes.Vertex(n))
					k.vertices, k.viscosity = append(k.vertices, nodes.Vertex(n)), append(k.viscosity, viscosity{})
					k.ends = append(k.ends, nil)
				}
				k.viscosity[at].add(c)
				k.ends[at] = append(k.ends[at], edgeEnd{e.Tri, c})
			}
		}
	}
	if slices.ContainsFunc(k.vertices, func(v nodes.Vertex) bool { return by.Holds(int32(v)) }) {
		k.agree = by.AfterForces
	}
	return k
}

func (k *Absorbers) Empty() bool { return len(k.vertices) == 0 }

func (k *Absorbers) Dissipates() bool { return true }

func (k *Absorbers) Name() string { return "absorbing edges" }

func (k *Absorbers) NodesRead(each func(n int32)) bool {
	for _, v := range k.vertices {
		each(int32(v))
	}
	return true
}

// AfterForces adds the absorbing forces when all other forces are known, and records
// their work in the last step.
func (k *Absorbers) AfterForces() {
	for i, v := range k.vertices {
		if !k.Divided(v) {
			k.absorb(k.FirstNode(v), k.viscosity[i])
			continue
		}
		for n := range k.At(v) {
			var c viscosity
			for _, end := range k.ends[i] {
				if k.NodeOf(v, end.triangle) == n {
					c.add(end.viscosity)
				}
			}
			k.absorb(n, c)
		}
	}
	if k.agree != nil {
		k.agree()
	}
}

// absorb adds the force on one node.
func (k *Absorbers) absorb(n nodes.Node, c viscosity) {
	v0, f, w := k.V[n], k.Force(n), k.Inverse(int32(n))
	h := 0.5 * k.Last
	// v = A^-1 b with A = I + h W C, b = V + h W F
	hx, hy := h*w.X, h*w.Y
	axx, axy, ayx, ayy := 1+float64(hx*c.xx), hx*c.xy, hy*c.xy, 1+float64(hy*c.yy)
	bx, by := v0.X+float64(hx*f.X), v0.Y+float64(hy*f.Y)
	det := float64(axx*ayy) - float64(axy*ayx)
	vx, vy := (float64(ayy*bx)-float64(axy*by))/det, (float64(axx*by)-float64(ayx*bx))/det
	now := r2.Vec{X: -(float64(c.xx*vx) + float64(c.xy*vy)), Y: -(float64(c.xy*vx) + float64(c.yy*vy))}
	was := k.NodeForce[n]
	k.Taken -= float64(h * (float64(v0.X*(was.X+now.X)) + float64(v0.Y*(was.Y+now.Y))))
	k.NodeForce[n] = now
	k.F[n].X += now.X
	k.F[n].Y += now.Y
}

func (k *Absorbers) AddEnergies(e *system.Energies) { e.Absorbed += k.Taken }

func (k *Absorbers) StateParts() []system.Part {
	return []system.Part{{Name: "absorbed", Values: &k.Taken}, {Name: "absorbing_forces", Values: k.NodeForce}}
}

func (k *Absorbers) Balance() error {
	return errors.New("absorbing edges act on what moves in time, a static analysis has no waves: leave [[absorb]] out")
}
