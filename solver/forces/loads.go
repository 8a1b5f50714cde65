package forces

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"
	bodiess "fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Loads are the external forces, moments and pressures (Neumann conditions), and
// in a static analysis the weight, which grows with them.
type Loads struct {
	system.Idle
	system.View
	bodies    *bodiess.Rigids
	triangles *bodiess.Continuum
	weights   []weight // of elements, in a static analysis
	List      []*Load
	preload   *Preload // balances the preloads of springs
	Share     float64  // factor on all forces and moments: 1, and less while what rests settles before the start
	Squares   float64  // sum of the squares of all forces at the last evaluation [N2]
}

// Load is a Load with its force on each node at the last evaluation, for the external work in the
// ledger.
type Load struct {
	*models.Load
	LoadNodes   []int32
	LoadCorners nodes.Corners // at each of nodes
	slot        [][2]int32    // per edge, or element of the line: indices of its two nodes in nodes
	Length      []float64     // per element of the line, at the start [m]
	points      [][2]r2.Vec   // per edge, or element of the line: its initial Gauss points, at which ByPosition is evaluated [m]
	LoadForce   []r2.Vec      // per node, at the last evaluation that was committed [N]
	LoadMoment  []float64     // per node [N m]; nil for none
	Tried       []r2.Vec      // forces and moments of an evaluation that was not committed
	Moments     []float64
	measure     float64 // thickness of the edges [m]
	arm         float64 // arm by which the moment on a rigid body counts as a force [m]
	source      system.Source
}

// NewLoads makes the loads.
func NewLoads(of system.View, list []models.Load, bodies *bodiess.Rigids, triangles *bodiess.Continuum) *Loads {
	k := &Loads{View: of, bodies: bodies, triangles: triangles, Share: 1}
	for i := range list {
		k.Add(&list[i])
	}
	if k.Static != nil && k.Model.Gravity != (r2.Vec{}) {
		k.addWeight()
	}
	return k
}

func (k *Loads) Name() string { return "loads" }

func (k *Loads) NodesRead(each func(n int32)) bool {
	for _, l := range k.List {
		for _, n := range l.LoadNodes {
			each(n)
		}
	}
	return true
}

// Add adds a load, with a source of work of its own.
func (k *Loads) Add(l *models.Load) {
	p := newLoad(l, k.Model)
	p.source = k.Ledger.Source(fmt.Sprintf("load %d", len(k.List)))
	k.List = append(k.List, p)
}

// weight is the weight of a part of the model in a static analysis.
type weight struct {
	*models.Load
	stressed bool    // of triangles with an initial stress, else of all other elements
	total    float64 // its mass at the start [kg]
}

// addWeight turns gravity into loads: of bodies with an initial stress, with which it is in balance, from
// the start, of others growing linearly from zero.
func (k *Loads) addWeight() {
	for _, stressed := range [2]bool{true, false} {
		var nodes []int32
		var mass []float64
		for n, m := range k.massOf(stressed) {
			if m > 0 {
				nodes, mass = append(nodes, int32(n)), append(mass, m)
			}
		}
		if nodes != nil {
			k.weights = append(k.weights, k.weigh(nodes, mass, stressed))
		}
	}
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		if r.Mass > 0 { // the middle of its outline is at its centre
			mass := make([]float64, len(r.Nodes))
			for j := range mass {
				mass[j] = r.Mass / float64(len(mass))
			}
			k.weigh(r.Nodes, mass, false)
		}
	}
}

// weigh adds the weight of nodes with some masses.
func (k *Loads) weigh(nodes []int32, mass []float64, stressed bool) weight {
	w := weight{stressed: stressed}
	for _, m := range mass {
		w.total += m
	}
	for i := range mass {
		mass[i] /= w.total
	}
	w.Load = &models.Load{On: "weight", Nodes: nodes, Weights: mass, Force: r2.Scale(w.total, k.Model.Gravity), Schedule: func(t float64) float64 { return k.ShareOfWeight(stressed, t) }}
	k.Add(w.Load)
	return w
}

// massOf returns the mass per node of triangles with an initial stress, or of all other elements [kg].
func (k *Loads) massOf(stressed bool) []float64 {
	const rounding = 1e-9
	of := make([]float64, len(k.Mass))
	for _, p := range k.InitialStresses {
		b := &k.Mesh.Bodies[p.Body]
		for t := b.First; t < b.End; t++ {
			third := k.triangles.CornerMass(int(t))
			for _, n := range k.Mesh.Triangles[t] {
				of[n] += third
			}
		}
	}
	if stressed {
		return of
	}
	for n, m := range k.Mass {
		if of[n] = m - of[n]; of[n] < rounding*m {
			of[n] = 0
		}
	}
	return of
}

// growing returns the mass per node whose weight acts at the end of a static analysis and not at its
// start [kg].
func (k *Loads) growing() []float64 {
	if k.GravitySchedule != nil {
		return k.Mass
	}
	return k.massOf(false)
}

// Weigh takes the masses of nodes anew, after a body has been excavated from a static analysis.
func (k *Loads) Weigh() {
	for _, w := range k.weights {
		mass := k.massOf(w.stressed)
		for j, n := range w.Nodes {
			w.Weights[j] = mass[n] / w.total
		}
	}
}

func newLoad(l *models.Load, m *models.Model) *Load {
	p := &Load{Load: l, LoadNodes: l.Nodes, LoadCorners: l.Corners, measure: m.Thickness}
	index := make(map[int32]int32) // for lookup only
	at := func(n int32) int32 {
		k, ok := index[n]
		if !ok {
			k = int32(len(p.LoadNodes))
			index[n] = k
			p.LoadNodes = append(p.LoadNodes, n)
		}
		return k
	}
	for _, i := range l.Edges {
		e := m.Mesh.Edges[i]
		p.slot = append(p.slot, [2]int32{at(e.A), at(e.B)})
		p.points = append(p.points, gaussPoints(m.Mesh.X[e.A], m.Mesh.X[e.B]))
	}
	if m.Fracture != nil && len(l.Edges) > 0 {
		p.separateEnds(m.Mesh)
	}
	if l.Line != nil {
		p.prepareLine(m, at)
	}
	p.LoadForce, p.Tried = make([]r2.Vec, len(p.LoadNodes)), make([]r2.Vec, len(p.LoadNodes))
	if l.OnRigid && l.Moment != 0 {
		p.LoadMoment, p.Moments = make([]float64, 1), make([]float64, 1)
		p.arm = m.Rigids[l.Rigid].BoundingRadius(m.Mesh)
	} else if l.Moment != 0 || l.Line != nil {
		p.LoadMoment, p.Moments = make([]float64, len(p.LoadNodes)), make([]float64, len(p.LoadNodes))
	}
	return p
}

// separateEnds gives each end of the edges an entry of its own, because a crack may open between two
// edges. The entries of a vertex are consecutive.
func (p *Load) separateEnds(m *mesh.Mesh) {
	first := make([]int32, len(p.LoadNodes)+1) // entry of each vertex
	for _, slot := range p.slot {
		first[slot[0]+1]++
		first[slot[1]+1]++
	}
	for i := range p.LoadNodes {
		first[i+1] += first[i]
	}
	vertices, count := p.LoadNodes, 2*len(p.slot)
	p.LoadNodes, p.LoadCorners.List = make([]int32, count), make([]nodes.Corner, count)
	for i := range count + 1 {
		p.LoadCorners.First = append(p.LoadCorners.First, int32(i))
	}
	for i := range p.slot {
		for k, v := range p.slot[i] {
			at := first[v]
			first[v]++
			p.slot[i][k] = at
			p.LoadNodes[at], p.LoadCorners.List[at] = vertices[v], nodes.Corner{Triangle: m.Edges[p.Edges[i]].Tri, Fraction: 1}
		}
	}
}

// At returns the force on the i-th node, with those on the same vertex if it has not split, and the
// number of these.
func (l *Load) At(k *nodes.Field, force []r2.Vec, i int) (f r2.Vec, count int) {
	f, count = force[i], 1
	for n := l.LoadNodes[i]; i+count < len(force) && l.LoadNodes[i+count] == n && !k.Divided(nodes.Vertex(n)); count++ {
		f.X += force[i+count].X
		f.Y += force[i+count].Y
	}
	return f, count
}

// ApplyForces adds the loads at Time. With commit it records their work in the last step.
func (k *Loads) ApplyForces(commit bool) error {
	k.Squares = 0
	for _, l := range k.List {
		force, moment := l.LoadForce, l.LoadMoment
		if !commit {
			force, moment = l.Tried, l.Moments
		}
		work := 0.0
		if commit {
			work = l.momentWork(k, l.work(k, l.LoadForce[:len(l.LoadNodes)], 0))
		}
		if err := l.Evaluate(k, k.Time, force, moment); err != nil {
			return err
		}
		if k.Share != 1 {
			for i := range force {
				force[i] = r2.Scale(k.Share, force[i])
			}
			for i := range moment {
				moment[i] *= k.Share
			}
		}
		work = k.push(l, force[:len(l.LoadNodes)], work)
		if commit {
			k.Ledger.Record(l.source, l.momentWork(k, work))
		}
		for i, m := range moment {
			if l.OnRigid {
				k.bodies.List[l.Rigid].Couple += m
				m /= l.arm
				k.Squares += float64(m * m)
				continue
			}
			k.Moment[l.LoadNodes[i]] += m
		}
	}
	return nil
}

// Midway calls put with what the mean of the forces and moments on rigid bodies at both ends of a step of length
// dt [s] exceeds those at Time. Contact by impulses moves bodies by that mean, of which the ledger has the work.
func (k *Loads) Midway(dt float64, put func(body int32, f r2.Vec, moment float64)) {
	for _, l := range k.List {
		if l.Evaluate(k, k.Time+dt, l.Tried, l.Moments) != nil {
			continue // the next step tells
		}
		for i := range l.LoadMoment {
			put(l.Rigid, r2.Vec{}, 0.5*(l.Moments[i]-l.LoadMoment[i]))
		}
		for i, n := range l.LoadNodes {
			f := r2.Scale(0.5, r2.Sub(l.Tried[i], l.LoadForce[i]))
			body := k.bodies.Of(n)
			put(body, f, elementary.Cross(r2.Sub(k.X[n], k.bodies.List[body].RigidMotion.Centre), f))
		}
	}
}

// push adds the forces of a load to the nodes. It returns work plus the work of these forces over
// half of the last step [J].
func (k *Loads) push(l *Load, force []r2.Vec, work float64) float64 {
	squares, half := k.Squares, 0.5*k.Last // one loop for both sums
	for i, count := 0, 0; i < len(force); i += count {
		var f r2.Vec
		f, count = l.At(k.Field, force, i)
		n, at := nodes.Vertex(l.LoadNodes[i]), l.LoadCorners.At(i)
		v := k.StepVelocityAt(n, at)
		squares += float64(f.X*f.X) + float64(f.Y*f.Y)
		k.AddForceAt(n, at, f)
		work += float64(half * (float64(f.X*v.X) + float64(f.Y*v.Y)))
	}
	k.Squares = squares
	return work
}

// work returns sum plus the work of the load's forces over half of the last step [J].
func (l *Load) work(k *Loads, force []r2.Vec, sum float64) float64 {
	half := 0.5 * k.Last
	for i, count := 0, 0; i < len(force); i += count {
		var f r2.Vec
		f, count = l.At(k.Field, force, i)
		v := k.StepVelocityAt(nodes.Vertex(l.LoadNodes[i]), l.LoadCorners.At(i))
		sum += float64(half * (float64(f.X*v.X) + float64(f.Y*v.Y)))
	}
	return sum
}

// momentWork returns sum plus the work of the load's moments over half of the last step [J].
func (l *Load) momentWork(k *Loads, sum float64) float64 {
	half := 0.5 * k.Last
	for i, m := range l.LoadMoment {
		if l.OnRigid {
			sum += float64(half * m * k.bodies.StepSpin(l.Rigid))
			continue
		}
		sum += float64(half * m * k.Spin[l.LoadNodes[i]])
	}
	return sum
}

func (k *Loads) StateParts() (parts []system.Part) {
	for i, l := range k.List {
		parts = append(parts, system.Part{Name: fmt.Sprintf("load.%d.force", i), Values: l.LoadForce}, system.Part{Name: fmt.Sprintf("load.%d.moment", i), Values: l.LoadMoment})
	}
	return parts
}

// Evaluate sets force and moment to their values at a time [s] and X. A pressure acts on the edges at
// their present positions. It fails if the schedule has no finite value.
func (l *Load) Evaluate(k *Loads, time float64, force []r2.Vec, moment []float64) error {
	factor := 1.0
	if l.Schedule != nil {
		if factor = l.Schedule(time); math.IsNaN(factor) || math.IsInf(factor, 0) {
			return &system.ScheduleError{Of: fmt.Sprintf("the load on %q", l.On), Step: k.N, Time: k.Time}
		}
	}
	if factor *= l.Share(time); k.Static != nil && time <= l.From && l.From > 0 {
		factor = 0 // it comes in the increment that begins then
	}
	if l.OnRigid && l.Field == nil {
		moment[0] = factor * l.Moment
		return nil
	}
	whole := l.Force
	for i, w := range l.Weights[:min(len(l.Weights), len(force))] {
		w *= factor
		force[i] = r2.Vec{X: w * whole.X, Y: w * whole.Y}
	}
	for i, f := range l.Forces[:min(len(l.Forces), len(force))] {
		force[i] = r2.Vec{X: factor * f.X, Y: factor * f.Y}
	}
	if l.Field != nil {
		return l.evaluateField(k, time, factor, force)
	}
	if l.Line != nil {
		clear(force)
		clear(moment)
		return l.addLine(k, time, factor, force, moment)
	}
	for i := range moment {
		moment[i] = factor * l.Weights[i] * l.Moment
	}
	if len(l.Edges) > 0 {
		clear(force)
		p := 0.5 * factor * l.Pressure * l.measure
		if l.ByPosition != nil {
			return l.evaluateByPosition(k, time, p, force)
		}
		for i, slot := range l.slot {
			e := k.Mesh.Edges[l.Edges[i]]
			a, b := k.X[e.A], k.X[e.B]
			// inward normal times length: the edge rotated left by 90 degrees
			fx, fy := float64(p*(a.Y-b.Y)), float64(p*(b.X-a.X))
			for _, j := range slot {
				force[j].X += fx
				force[j].Y += fy
			}
		}
	}
	return nil
}

// evaluateByPosition sets force to a pressure that varies with the position, 2 p times ByPosition.
// It is linear along each edge, through its values at the two initial Gauss points, and distributed
// to the two nodes work-equivalently.
func (l *Load) evaluateByPosition(k *Loads, time, p float64, force []r2.Vec) error {
	for i, slot := range l.slot {
		e := k.Mesh.Edges[l.Edges[i]]
		a, b := k.X[e.A], k.X[e.B]
		first, second, err := l.along(k, time, i)
		if err != nil {
			return err
		}
		nx, ny := float64(p*(a.Y-b.Y)), float64(p*(b.X-a.X))
		for j, w := range [2]float64{(float64(2*first) + second) / 3, (first + float64(2*second)) / 3} {
			f := &force[slot[j]]
			f.X += float64(w * nx)
			f.Y += float64(w * ny)
		}
	}
	return nil
}

// gauss is the distance of the two Gauss points from the middle, divided by the length.
const gauss = 0.28867513459481287 // 1/(2 sqrt 3)

// gaussPoints returns the two Gauss points of the line from a to b.
func gaussPoints(a, b r2.Vec) [2]r2.Vec {
	return [2]r2.Vec{elementary.Between(a, b, 0.5-gauss), elementary.Between(a, b, 0.5+gauss)}
}

// along returns ByPosition at the ends of edge or element i, extrapolated linearly from its values
// at the Gauss points.
func (l *Load) along(k *Loads, time float64, i int) (first, second float64, err error) {
	var at [2]float64
	for j, x := range l.points[i] {
		if at[j] = l.ByPosition(time, x); math.IsNaN(at[j]) || math.IsInf(at[j], 0) {
			return 0, 0, l.notFinite(k, x)
		}
	}
	middle, slope := float64(0.5*(at[0]+at[1])), (at[1]-at[0])/(4*gauss)
	return middle - slope, middle + slope, nil
}

// notFinite returns the error of an expression of the position without a finite value.
func (l *Load) notFinite(k *Loads, x r2.Vec) error {
	of := l.Of
	if of == "" {
		of = fmt.Sprintf("the load on %q", l.On)
	}
	return &system.ScheduleError{Of: of, Step: k.N, Time: k.Time, Position: &x}
}

// evaluateField sets force to a body force. It acts on nodes at their positions, and on a rigid
// body at its centre, distributed over the nodes of its outline.
func (l *Load) evaluateField(k *Loads, time, factor float64, force []r2.Vec) error {
	for i, n := range l.LoadNodes {
		x := k.X[n]
		if l.OnRigid {
			m := k.bodies.List[l.Rigid].RigidMotion
			x = elementary.Along(m.Centre, m.Velocity, time-k.Time)
		}
		f, w := l.Field(time, x), factor*l.Weights[i]
		if sum := f.X + f.Y; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return l.notFinite(k, x)
		}
		force[i] = r2.Vec{X: w * f.X, Y: w * f.Y}
	}
	return nil
}
