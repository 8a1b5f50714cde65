package fracture

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Acoustic emission: the kinetic energy that a crack releases, and its potency tensor when it
// breaks.
//
// The kinetic energy is that of the four corners at a crack's ends, with the masses of its own two
// triangles, relative to their mean motion. So a body that moves as a whole has none, at any
// speed. It is computed when the crack opens and then every few steps until it breaks. The
// emission is the greatest value minus the first one. Source: A. Lisjak, Q. Liu, Q. Zhao, O. K.
// Mahabadi, G. Grasselli, Geophys. J. Int. 195 (2013) 423, who use the energy at rest as the first
// value.
//
// The potency of a crack is the tensor P = A (u n + n u)/2 of the jump u of displacement
// across its faces, of area A and normal n, when it breaks: with the elastic constants of the
// body it makes the moment tensor. Faces that press have no opening. Source: K. Aki, P. G.
// Richards, Quantitative Seismology, 2nd edition (2002), section 3.3; Y. Ben-Zion, Geophys. J.
// Int. 147 (2001) F1.

// emission has the values of one crack.
type emission struct {
	first, most float64 // kinetic energy when it opened, and the greatest until it broke [J]
	potency     Tensor  // set when the crack breaks
}

// Tensor is a symmetric tensor in the plane.
type Tensor struct{ XX, YY, XY float64 }

// emissionValues is the number of values of a crack's emission in a State.
const emissionValues = 5

func (e *emission) values() []float64 {
	return []float64{e.first, e.most, e.potency.XX, e.potency.YY, e.potency.XY}
}

func emissionOf(v []float64) emission {
	return emission{first: v[0], most: v[1], potency: Tensor{v[2], v[3], v[4]}}
}

// UpdateEmission updates the kinetic energies of the cracks that are open and not broken, with the
// velocities of nodes [m/s]. A second call with the same velocities changes nothing.
func (z *Zone) UpdateEmission(v []r2.Vec) {
	z.v = v
	z.parallel(len(z.cracks) >= fewCracks, z.doEmission)
	z.v = nil
}

// computeEmission is a worker's part of UpdateEmission.
func (z *Zone) computeEmission(worker int) {
	first, end := z.portion(worker, len(z.cracks))
	for k := first; k < end; k++ {
		if c := &z.cracks[k]; !c.broken && !z.joint(c.region) {
			e := &z.emissions[k]
			e.most = max(e.most, z.kinetic(c, z.v))
		}
	}
}

// startEmission sets the kinetic energies of the cracks that have just been inserted.
func (z *Zone) startEmission(v []r2.Vec) {
	for _, k := range z.unsorted {
		if c := &z.cracks[k]; !z.joint(c.region) {
			e := z.kinetic(c, v)
			z.emissions[k] = emission{first: e, most: e}
		}
	}
}

// kinetic returns the kinetic energy of a crack's corners about their mean motion [J].
func (z *Zone) kinetic(c *crack, v []r2.Vec) float64 {
	e := &z.edges[c.edge]
	a, b := z.mass[e.A], z.mass[e.B]
	v0, v1, v2, v3 := v[c.node[0]], v[c.node[1]], v[c.node[2]], v[c.node[3]]
	m := 2 * (a + b)
	x := (float64(a*(v0.X+v1.X)) + float64(b*(v2.X+v3.X))) / m
	y := (float64(a*(v0.Y+v1.Y)) + float64(b*(v2.Y+v3.Y))) / m
	square := func(v r2.Vec) float64 {
		dx, dy := v.X-x, v.Y-y
		return float64(dx*dx) + float64(dy*dy)
	}
	return 0.5 * (float64(a*(square(v0)+square(v1))) + float64(b*(square(v2)+square(v3))))
}

// recordPotency stores the potency of crack k when it breaks.
func (z *Zone) recordPotency(k int32, now *frame) {
	area := 2 * z.cracks[k].weight
	open := area * 0.5 * (max(0, now.opening[0]) + max(0, now.opening[1]))
	slid := float64(area * 0.25 * (now.slip[0] + now.slip[1])) // 2*slid is a sum
	n, t := now.n, now.t
	z.emissions[k].potency = Tensor{
		XX: float64(open*n.X*n.X) + float64(2*slid*n.X*t.X),
		YY: float64(open*n.Y*n.Y) + float64(2*slid*n.Y*t.Y),
		XY: float64(open*n.X*n.Y) + float64(slid*(float64(n.X*t.Y)+float64(n.Y*t.X))),
	}
}

// Event is an edge that broke, as an acoustic emission test records it.
type Event struct {
	Time       float64 // [s]
	InsertedAt float64 // when it opened [s]
	Position   r2.Vec  // initial middle of the edge [m]
	Length     float64 // initial length of the edge [m]
	Energy     float64 // dissipated by the edge [J]
	Mode       float64 // share of shear in the energy
	Kinetic    float64 // kinetic energy released by the edge [J]
	Potency    Tensor  // [m3]
	Triangles  [2]int32
}

// Event returns the event of a crack that is broken.
func (z *Zone) Event(c *Crack) Event {
	e := &z.edges[c.Edge]
	of := &z.emissions[z.crackOf[c.Edge]]
	return Event{
		Time: c.BrokenAt, InsertedAt: c.InsertedAt, Position: z.middle(e), Length: c.Length, Energy: c.Energy, Mode: c.Mode,
		Kinetic: of.most - of.first, Potency: of.potency, Triangles: [2]int32{e.A, e.B},
	}
}

// Events returns the events of all cracks except joints, in the order of their edges.
func (z *Zone) Events() (out []Event) {
	for i := range z.Cracks() {
		if c := z.Crack(i); !math.IsNaN(c.BrokenAt) && !c.Joint {
			out = append(out, z.Event(&c))
		}
	}
	return out
}

// Insertion is an edge that opened.
type Insertion struct {
	Crack
	Position r2.Vec // initial middle of the edge [m]
}

// Insertions returns all edges that have opened, except joints, in the order of time.
func (z *Zone) Insertions() (out []Insertion) {
	for i := range z.Cracks() {
		if c := z.Crack(i); !c.Joint {
			out = append(out, Insertion{c, z.middle(&z.edges[c.Edge])})
		}
	}
	slices.SortStableFunc(out, func(p, q Insertion) int { return cmp.Compare(p.InsertedAt, q.InsertedAt) })
	return out
}
