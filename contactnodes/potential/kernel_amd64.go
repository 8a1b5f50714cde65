package potential

import (
	"math"
	"unsafe"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../fem/asm ./fragments -out ../../contactnodes/potential/four_amd64.s -stubs ../../contactnodes/potential/four_amd64.go -pkg potential

// chooseKernel returns the fastest kernel of this machine, or the generic one.
func chooseKernel(plain bool) kernel {
	if plain || !cpu.X86.HasAVX2 {
		return generic
	}
	return kernel{(*Contact).cullVector, (*Contact).fetchVector, (*Contact).locateVector, evalVector, (*Contact).pressVector, addVector}
}

// closestPointQuery has the data of a step for the assembly kernel, each number once per lane.
// The kernel depends on the order of these fields.
type closestPointQuery struct {
	first, last       [lanes]float64 // positions of these contact nodes
	opposite, margin2 [lanes]float64 // the margin with the opposite sign, and its square
	far2              [lanes]float64 // square of worthSleep
	due               [lanes]float64 // travel, see near
}

// pressing has the data of a rule for the assembly kernel, each number once per lane. The kernel
// depends on the order of these fields.
type pressing struct {
	ratio, lag, constant [lanes]float64 // of the stick spring; lag for Follow
	static, kinetic      [lanes]float64
	damping2             [lanes]float64 // twice the law's
	acts, isConstant     [lanes]uint64  // all bits set if there is friction, and if its spring has a constant stiffness
	damped, dissipates   uint64
	_                    [2]uint64
}

// scratch has the data of a step and of a rule for the assembly kernel, and its intermediate
// values. The kernel depends on the order of these fields.
type scratch struct {
	closestPointQuery
	now pressing
	_   [60][lanes]float64
}

// vectors is the data of a worker's assembly kernel.
type vectors struct {
	*scratch
	rule  int32      // present rule
	rules []pressing // data of all rules
	able  []bool     // per rule: the kernel can process it
}

// cullVector is cullPlain in assembly.
func (c *Contact) cullVector(f *finder) {
	if f.scratch == nil {
		f.know(c)
	}
	far := c.worthSleep()
	for l := range lanes {
		f.closestPointQuery.first[l], f.closestPointQuery.last[l] = positionOf(0), positionOf(perFace-1)
		f.opposite[l], f.margin2[l], f.far2[l], f.due[l] = -c.margin, c.margin*c.margin, far*far, c.due
	}
	separated := f.separated
	for _, run := range f.runs {
		n := (len(run) + lanes - 1) / lanes
		cullAVX2(&run[0].wakes, n, &c.Triangles[0][0], &c.x[0].X, &c.altitude[0], &f.closestPointQuery.first[0], &separated[0])
		separated = separated[n:]
	}
}

// fetchVector prefetches the data of four i, unless its targets are edges. Only the first worker
// adds forces to nodes.
func (c *Contact) fetchVector(f *finder, i int) {
	q := &f.fours[i]
	if q.edges {
		return
	}
	var pages unsafe.Pointer
	if f == &c.finders[0] {
		of, _ := c.out.Pages()
		pages = unsafe.Pointer(unsafe.SliceData(of))
	}
	old := min(int(f.old.first)*c.stride, len(c.Values)) // zeros follow
	from, to := &c.Values[:old+1][old], (*float64)(nil)
	if next := int(f.points) * c.stride; next < cap(f.values) {
		to = &f.values[:next+1][next]
	}
	fetchAVX2(&q.deep[0][0], &c.v[0].X, (*float64)(pages), from, to)
}

// locateVector is locatePlain in assembly, for triangles. Edges are processed in Go.
func (c *Contact) locateVector(f *finder, i int) {
	q := &f.fours[i]
	if q.edges {
		c.locatePlain(f, i)
		return
	}
	locateAVX2(&q.deep[0][0], &c.x[0].X, &c.v[0].X, &c.altitude[0], &f.closestPointQuery.first[0], &f.d[perFour*i], &f.rate[perFour*i])
}

// evalVector evaluates a law: the most frequent one in assembly, which does not return the
// tangent.
func evalVector(law contact.Law, in contact.Input, out contact.Output) {
	if of, ok := law.(contact.Linear); ok {
		linearAVX2(len(in.D)/lanes, &in.D[0], &in.Rate[0], &out.P[0], &out.K[0], &out.W[0], of.K, of.C)
		return
	}
	law.Eval(in, out)
}

// pressVector is pressPlain in assembly, for triangles with friction that sticks or without
// friction. Other pairs are processed in Go.
func (c *Contact) pressVector(f *finder, i int, groups []group) {
	q := &f.fours[i]
	if q.edges || q.transferring || !f.able[q.rule] {
		c.pressPlain(f, i, groups)
		return
	}
	if f.rule != q.rule {
		f.rule, f.now = q.rule, f.rules[q.rule]
	}
	at := perFour * i
	groups = groups[:lanes]
	pressAVX2(&q.deep[0][0], &groups[0].on[0].F.X, &c.Values[:1][0], &f.values[0], c.stride, len(c.Values)/c.stride, int(f.points), &f.p[at], &f.k[at], &f.w[at], &f.now.ratio[0], c.scene.Step)
}

// addVector is addPlain in assembly. Contact points under edges are processed in Go.
func addVector(out *onnodes.Forces, g *group) {
	n := &g.node
	if n[4] < 0 {
		addPlain(out, g)
		return
	}
	addAVX2(&out.On(n[0]).F.X, &out.On(n[1]).F.X, &out.On(n[2]).F.X, &out.On(n[3]).F.X, &out.On(n[4]).F.X, &g.on[0].F.X)
}

// know prepares the data of the rules.
func (f *finder) know(c *Contact) {
	f.scratch, f.rule, f.rules, f.able = new(scratch), -1, make([]pressing, len(c.Rules)), make([]bool, len(c.Rules))
	for i := range c.Rules {
		p, of := &f.rules[i], &c.Rules[i].Friction
		acts := of.Acts()
		f.able[i] = of.Sticks() || !acts
		for l := range lanes {
			p.ratio[l], p.lag[l], p.constant[l] = of.Ratio, coulomb.Lag*of.Ratio, of.Stiffness
			p.static[l], p.kinetic[l], p.damping2[l] = of.Static, of.Kinetic, 2*c.damping[i]
			if acts {
				p.acts[l] = math.MaxUint64
			}
			if of.Ratio == 0 {
				p.isConstant[l] = math.MaxUint64
			}
		}
		if c.damping[i] != 0 {
			p.damped = 1
		}
		if !c.conserves[i] {
			p.dissipates = 1
		}
	}
}
