package forces

import (
	"fmt"
	"math"
	"slices"

	"fdem/fem/bolt"
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Rock bolts and cables. Each is a chain of points in triangles, which cracks never cut, with a bar
// without mass that is in balance at every moment (package bolt). It pulls its points together
// along the segments between them.

// Bolts are all bolts of a model.
type Bolts struct {
	system.Idle
	system.View
	list      []models.Bolt
	triangles *bodies.Continuum
	chains    []*bolt.Chain
	position  []r2.Vec // of the points of all bolts at the last evaluation [m]
	normal    []r2.Vec // along the segments of all bolts
	first     []int    // per bolt: its first point; its first segment is that less its number
	omega2    float64  // bound of the squared frequency by bond and plate [1/s2]
	across    float64  // the same for a force along segments, per force [1/(kg m)]
	worst     int32
	crossing  []int   // per bolt: its first crossing of an edge between triangles, and their number
	dowels    []dowel // of all crossings

	state boltState
}

// boltState is the state of the bolts.
type boltState struct {
	bolt.State
	dowelState
	system.Stages
	dissipated []float64 // per bolt [J]
}

// NewBolts makes the bolts. It fails if a bond needs the stresses of triangles with laws, which one process alone
// has, and the run is shared by several.
func NewBolts(of system.View, list []models.Bolt, triangles *bodies.Continuum, shared bool) (*Bolts, error) {
	k := &Bolts{View: of, list: list, triangles: triangles}
	points := 0
	for i := range k.list {
		k.first = append(k.first, points)
		points += len(k.list[i].Points)
	}
	n := len(k.list)
	if n == 0 {
		return k, nil
	}
	k.position, k.normal = make([]r2.Vec, points), make([]r2.Vec, points-n)
	k.state = boltState{State: bolt.NewState(points, points-n, n), dissipated: make([]float64, n)}
	for i := range k.list {
		p := &k.list[i]
		if shared && p.Confined > 0 && k.triangles.Lawful() {
			return nil, fmt.Errorf("bolt %q: bond_friction in a material with a law, whose stresses one rank alone has, runs on one rank: start it without mpirun", p.Name)
		}
		k.chains = append(k.chains, bolt.New(p.Law, p.Bonded, k.state.Of(k.first[i], k.first[i]-i, len(p.Points), i)))
		k.state.Add(&k.Ledger, "bolt "+p.Name, &p.When)
	}
	k.newDowels()
	k.predict()
	return k, nil
}

func (k *Bolts) Name() string { return "bolts" }

func (k *Bolts) Empty() bool { return len(k.chains) == 0 }

// NodesRead names the corners of the triangles that have the points. Confinement of the bond needs
// the stresses of these triangles, which with laws only one process has.
func (k *Bolts) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		p := &k.list[i]
		for j := range p.Points {
			for _, n := range p.Points[j].Nodes {
				each(n)
			}
			for _, n := range k.Mesh.Triangles[p.Hosts[j]] {
				each(n)
			}
		}
		readCrossings(p, each)
	}
	return true
}

// ApplyForces adds the forces of the bars. With commit bond and bar advance.
func (k *Bolts) ApplyForces(commit bool) error {
	for i, c := range k.chains {
		p := &k.list[i]
		comes := commit && k.state.Due(i, k.Time)
		if !k.state.Begun[i] && !comes {
			continue
		}
		k.place(i)
		if err := k.pull(i, c, comes); err != nil {
			return fmt.Errorf("bolt %q has %w", p.Name, err)
		}
		if commit {
			k.account(i, c)
		}
	}
	return nil
}

// place finds the positions of the points of a bolt, and the directions of its segments.
func (k *Bolts) place(i int) {
	p, from := &k.list[i], k.first[i]
	for j := range p.Points {
		k.position[from+j] = meanAt(&p.Points[j], k.PositionAt)
	}
}

// pull solves a bolt and adds its forces. comes tells that it is installed now.
func (k *Bolts) pull(i int, c *bolt.Chain, comes bool) error {
	p, from := &k.list[i], k.first[i]
	normal := k.normal[from-i : from-i+len(c.Force)]
	for j := range c.Force {
		d := r2.Sub(k.position[from+j+1], k.position[from+j])
		length := elementary.Norm(d)
		normal[j] = r2.Vec{X: d.X / length, Y: d.Y / length}
		c.Stretch[j] = length - c.Rest[j]
		if comes {
			c.Rest[j] = length
		}
	}
	if p.Confined > 0 {
		k.confine(i, c, normal)
	}
	k.state.Choose(i, k.Time)
	if comes {
		if err := k.install(i, c, normal); err != nil {
			return err
		}
		if k.Static != nil { // its forces come in the next increment
			k.state.Now[i] = 0
		}
	}
	if err := c.Solve(); err != nil {
		return err
	}
	for j, n := range c.Force {
		f := r2.Scale(k.state.Now[i]*n, normal[j])
		pushAt(k.Field, &p.Points[j], f)
		pushAt(k.Field, &p.Points[j+1], r2.Vec{X: -f.X, Y: -f.Y})
	}
	k.resist(i, c, normal, comes)
	return nil
}

// confine finds the strength that the pressure of the rock across the bolt adds to its bond.
func (k *Bolts) confine(i int, c *bolt.Chain, normal []r2.Vec) {
	p := &k.list[i]
	for j, t := range p.Hosts {
		if c.Bonded[j] == 0 {
			continue
		}
		n := normal[min(j, len(normal)-1)]
		s := k.triangles.Stress(int(t), k.X, k.Plane)
		across := float64(n.Y*n.Y*s.XX) + float64(n.X*n.X*s.YY) - float64(2*n.X*n.Y*s.XY)
		c.More[j] = float64(p.Confined * max(0, -across))
	}
}

// install begins a bolt in the present positions. What the tension of its plate stores is work from
// outside, less that of leapfrog's kick, which begins half a step ago.
func (k *Bolts) install(i int, c *bolt.Chain, normal []r2.Vec) error {
	stored, lost, err := c.Install(c.Rest)
	if err != nil {
		return err
	}
	p, half := &k.list[i], 0.0
	for j, n := range c.Force {
		rate := r2.Sub(meanAt(&p.Points[j+1], k.StepVelocityAt), meanAt(&p.Points[j], k.StepVelocityAt))
		half += float64(0.5 * k.Last * n * elementary.Dot(rate, normal[j]))
	}
	k.state.dissipated[i] += lost
	if k.Static != nil {
		k.state.Install(i, stored, lost, 0)
		return nil
	}
	k.state.Install(i, stored, stored+lost-half, 1)
	return nil
}

// account keeps the last solution of a bolt, and records the work of its factor.
func (k *Bolts) account(i int, c *bolt.Chain) {
	k.state.dissipated[i] += float64(0.5 * (k.state.Shares[i] + k.state.Now[i]) * (c.Commit() + k.release(i)))
	k.state.Advance(i, c.Stored()+k.held(i))
}

func (k *Bolts) AddEnergies(e *system.Energies) {
	for i, c := range k.chains {
		if k.state.Begun[i] {
			e.BoltStored += float64(k.state.Now[i] * (c.Stored() + k.held(i)))
		}
		e.BoltDissipated += k.state.dissipated[i]
	}
}

// Dissipates tells that bolts slip and yield.
func (k *Bolts) Dissipates() bool { return true }

func (k *Bolts) StateParts() []system.Part {
	p := &k.state
	return append(k.state.Stages.StateParts("bolt"), []system.Part{
		{Name: "bolt.rest", Values: p.Rest}, {Name: "bolt.slip", Values: p.Slip}, {Name: "bolt.released", Values: p.Released}, {Name: "bolt.path", Values: p.Path},
		{Name: "bolt.gripped", Values: p.Gripped}, {Name: "bolt.plastic", Values: p.Plastic}, {Name: "bolt.worked", Values: p.Worked}, {Name: "bolt.pulled", Values: p.Pulled},
		{Name: "bolt.broken", Values: p.Broken}, {Name: "bolt.locked", Values: p.Locked}, {Name: "bolt.dissipated", Values: p.dissipated},
		{Name: "bolt.sheared", Values: p.sheared}, {Name: "bolt.carried", Values: p.carried},
	}...)
}

// predict bounds the frequencies that bolts add. The energy of a bar in balance is at most that of
// a bar that stays where it is, in which each point has the stiffness K h of its bond, and the head
// that of its plate. Across a segment a force N has the stiffness N/L.
func (k *Bolts) predict() {
	along, across := make([]float64, len(k.X)), make([]float64, len(k.X))
	weigh := func(visit func(i int, e *models.End, stiff, line float64)) {
		for i := range k.list {
			p := &k.list[i]
			for j := range p.Points {
				stiff, line := float64(p.Law.Bond.Stiffness*p.Bonded[j]), 0.0
				if j == 0 {
					stiff += p.Law.Plate.Stiffness
				} else {
					line += 2 / (p.Along[j] - p.Along[j-1])
				}
				if j+1 < len(p.Points) {
					line += 2 / (p.Along[j+1] - p.Along[j])
				}
				visit(i, &p.Points[j], stiff, line)
			}
		}
		k.weighCrossings(visit)
	}
	weigh(func(_ int, e *models.End, stiff, line float64) {
		for m, n := range e.Nodes {
			along[k.Mesh.PositionNode(n)] += float64(stiff * math.Abs(e.Weights[m]))
			across[k.Mesh.PositionNode(n)] += float64(line * math.Abs(e.Weights[m]))
		}
	})
	weigh(func(i int, e *models.End, _, _ float64) {
		sum, line := 0.0, 0.0
		for m, n := range e.Nodes {
			w := k.InverseMassAt(nodes.Vertex(n), e.Corners.At(m))
			light := float64(math.Abs(e.Weights[m]) * max(w.X, w.Y))
			sum += float64(light * along[k.Mesh.PositionNode(n)])
			line += float64(light * across[k.Mesh.PositionNode(n)])
		}
		if sum > k.omega2 {
			k.omega2, k.worst = sum, int32(i)
		}
		k.across = max(k.across, line)
	})
}

// ofBolt is the cause of a step that bolts limit.
const ofBolt = "bolts"

func (k *Bolts) Bound(b *system.Bounds) {
	most := 0.0
	for _, c := range k.chains {
		for _, n := range c.Force {
			most = max(most, math.Abs(n))
		}
	}
	own := k.omega2 + float64(2*most*k.across) // twice: it may grow within the step
	cause := b.Springs.By
	if own > b.Springs.Of {
		cause = system.Cause{What: ofBolt, At: k.worst}
	}
	b.Springs.Raise(b.Springs.Of+own, cause)
}

// Where names the bolt that limits the step.
func (k *Bolts) Where(by system.Cause) string {
	if by.What != ofBolt {
		return ""
	}
	return k.list[by.At].Name
}

// Stiffen adds the tangent of the bolts for a static analysis: that of the forces along their segments,
// whose bars are in balance, as a sum of L D L' (Cholesky), and of the force across each segment that
// turns, force over length.
func (k *Bolts) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	for i, c := range k.chains {
		freedoms, along, across := k.stretches(f, i)
		n := len(c.Force)
		if !k.state.Begun[i] {
			add(0, freedoms, make([]float64, len(freedoms)))
			k.stiffenCrossings(f, i, add)
			continue
		}
		tangent, by := make([]float64, n*n), k.state.Now[i]
		c.Tangent(tangent)
		for j := range n {
			pivot := tangent[j*n+j]
			if pivot > pivotShare*c.Bar.Stiffness/c.Rest[j] {
				g := make([]float64, len(freedoms))
				for m := j; m < n; m++ {
					w := tangent[m*n+j] / pivot
					for p, v := range along[m] {
						g[p] += float64(w * v)
					}
					for q := j + 1; q < n; q++ {
						tangent[m*n+q] -= float64(w * tangent[j*n+q])
					}
				}
				add(by*pivot, freedoms, g)
			}
			add(float64(by*c.Force[j])/(c.Rest[j]+c.Stretch[j]), freedoms, across[j])
		}
		k.stiffenCrossings(f, i, add)
	}
}

// EachHeld marks the nodes that bolts hold during all of a static analysis.
func (k *Bolts) EachHeld(node func(n int32), _ func(i int32)) {
	for i := range k.list {
		if p := &k.list[i]; !p.Staged() {
			for j := range p.Points {
				for _, n := range p.Points[j].Nodes {
					node(n)
				}
			}
			readCrossings(p, node)
		}
	}
}

// pivotShare is the least pivot of the tangent of a bolt, relative to the stiffness of its segment, that
// is no rounding.
const pivotShare = 1e-12

// stretches returns the freedoms that move the points of a bolt, and for each of its segments the
// derivatives of the length by them, and of the displacement across it.
func (k *Bolts) stretches(f *system.Freedoms, i int) (freedoms []int32, along, across [][]float64) {
	p, from := &k.list[i], k.first[i]
	each := func(j int, do func(freedom int32, x, y float64)) {
		e := &p.Points[j]
		for m, n := range e.Nodes {
			f.Each(f.Moves[n][0], func(at int32, w float64) { do(at, w*e.Weights[m], 0) })
			f.Each(f.Moves[n][1], func(at int32, w float64) { do(at, 0, w*e.Weights[m]) })
		}
	}
	for j := range p.Points {
		each(j, func(at int32, _, _ float64) { freedoms = append(freedoms, at) })
	}
	slices.Sort(freedoms)
	freedoms = slices.Compact(freedoms)
	for j := range len(p.Points) - 1 {
		n := k.normal[from-i+j]
		a, c := make([]float64, len(freedoms)), make([]float64, len(freedoms))
		for end, sign := range [2]float64{-1, 1} {
			each(j+end, func(at int32, x, y float64) {
				m, _ := slices.BinarySearch(freedoms, at)
				a[m] += float64(sign * (float64(x*n.X) + float64(y*n.Y)))
				c[m] += float64(sign * (float64(y*n.X) - float64(x*n.Y)))
			})
		}
		along, across = append(along, a), append(across, c)
	}
	return freedoms, along, across
}
