package forces

import (
	"math"

	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// endTotals are sums over the springs that end at each node and at each rigid body:
// of their stiffness or damping, and for bodies also of that times the arm.
type endTotals struct {
	nodes  []float64
	bodies []struct{ force, moment float64 }
}

// totals adds up a value of the springs at their ends.
func (k *Springs) totals(weight func(i int) float64) endTotals {
	out := endTotals{make([]float64, len(k.X)), make([]struct{ force, moment float64 }, len(k.Rigids))}
	for i := range k.Units {
		w := weight(i)
		for j := range k.Units[i].Ends {
			e := &k.Units[i].Ends[j]
			if e.Rigid >= 0 {
				out.bodies[e.Rigid].force += w
				out.bodies[e.Rigid].moment += float64(w * elementary.Norm(r2.Sub(e.At, k.Rigids[e.Rigid].Centre)))
				continue
			}
			for m, n := range e.Nodes {
				out.nodes[k.Mesh.PositionNode(n)] += float64(w * math.Abs(e.Weights[m]))
			}
		}
	}
	return out
}

// rowSum returns Gershgorin's row sum of spring i. It tells whether the spring moves
// a rigid body.
func (k *Springs) rowSum(i int, of endTotals) (sum float64, rigid bool) {
	for j := range k.Units[i].Ends {
		e := &k.Units[i].Ends[j]
		if e.Rigid >= 0 {
			r, of := &k.bodies.List[e.Rigid], of.bodies[e.Rigid]
			arm := elementary.Norm(r2.Sub(e.At, r.Rigid.Centre))
			sum += float64(r.Inverse*of.force) + float64(r.InverseInertia*arm*of.moment)
			rigid = rigid || r.Inverse > 0
			continue
		}
		for m, n := range e.Nodes {
			w := k.InverseMassAt(nodes.Vertex(n), e.Corners.At(m))
			sum += float64(math.Abs(e.Weights[m]) * max(w.X, w.Y) * of.nodes[k.Mesh.PositionNode(n)])
		}
	}
	return sum, rigid
}

// predict bounds the frequencies of the springs before they have moved. Let k be the
// stiffness of each spring and g its vector of the nodes' weights at its ends. The
// squared frequencies of K = sum of g k g^T with the masses M are the eigenvalues of
// the matrix sqrt(ki kj) gi^T M^-1 gj over pairs of springs, which Gershgorin's row
// sums bound.
func (k *Springs) predict() {
	stiff := k.totals(func(i int) float64 { return k.Units[i].stiffness })
	damped := k.totals(func(i int) float64 { return k.Units[i].damping })
	k.worst, k.damped, k.single = -1, -1, -1
	raise := func(most *float64, by *int32, v float64, of int32) {
		if v > *most {
			*most, *by = v, of
		}
	}
	for i := range k.Units {
		of := k.Units[i].Of
		omega2, rigid := k.rowSum(i, stiff)
		rate, _ := k.rowSum(i, damped)
		raise(&k.omega2, &k.worst, omega2, of)
		raise(&k.rate, &k.damped, rate, of)
		if rigid {
			raise(&k.natural, &k.single, omega2+float64(rate*rate), of)
		}
	}
	k.predictTurning(raise)
}

// predictTurning does the same for torsions. They are coupled to one another through
// the sums at a node or a body, and not to other springs.
func (k *Springs) predictTurning(raise func(most *float64, by *int32, v float64, of int32)) {
	light := func(e *models.End) float64 { // [1/(kg m2)]
		switch {
		case len(e.Nodes) == 0:
			return 0
		case e.Rigid >= 0:
			return k.bodies.List[e.Rigid].InverseInertia
		}
		return k.InverseInertia(nodes.Vertex(e.Nodes[0]))
	}
	at := func(e *models.End) int32 {
		if e.Rigid >= 0 {
			return -1 - e.Rigid
		}
		return e.Nodes[0]
	}
	omega2, rates := 0.0, 0.0
	worst, damped := int32(-1), int32(-1)
	for i := range k.torsions {
		w, d, rigid := 0.0, 0.0, false
		for a := range k.torsions[i].Ends {
			e := &k.torsions[i].Ends[a]
			if len(e.Nodes) == 0 {
				continue
			}
			rigid = rigid || e.Rigid >= 0
			for j := range k.torsions {
				for b := range k.torsions[j].Ends {
					if o := &k.torsions[j].Ends[b]; len(o.Nodes) > 0 && at(o) == at(e) {
						w += float64(k.torsions[j].stiffness * light(e))
						d += float64(k.torsions[j].damping * light(e))
					}
				}
			}
		}
		raise(&omega2, &worst, w, k.torsions[i].of)
		raise(&rates, &damped, d, k.torsions[i].of)
		if rigid {
			raise(&k.natural, &k.single, w+float64(d*d), k.torsions[i].of)
		}
	}
	if omega2 > 0 { // they add to the springs that move bodies
		k.omega2, k.worst = k.omega2+omega2, worst
	}
	if rates > 0 {
		k.rate, k.damped = k.rate+rates, damped
	}
}

// OfSpring is the cause of a step that springs limit.
const OfSpring = "springs"

func (k *Springs) Bound(b *system.Bounds) {
	times := 1.0 // ratio of the stiffness of a loaded spring across its line to that along it
	for i := range k.Units {
		if u := &k.Units[i]; u.elastic != 0 && u.least > 0 {
			times = max(times, math.Abs(u.elastic)/(max(u.length, u.least)*u.stiffness))
		}
	}
	b.Springs.Raise(times*k.omega2, system.Cause{What: OfSpring, At: k.worst})
	b.Dashpots.Raise(k.rate, system.Cause{What: OfSpring, At: k.damped})
	if k.natural > 0 {
		b.Period.Lower(2*k.Safety/(accuracy*math.Sqrt(times*k.natural)), system.Cause{What: OfSpring, At: k.single})
	}
}

// Where names the spring that limits the step.
func (k *Springs) Where(by system.Cause) string {
	if by.What != OfSpring || by.At < 0 {
		return ""
	}
	return k.list[by.At].Name
}
