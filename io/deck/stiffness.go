package deck

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The default penalty stiffness of a contact, from the bodies. A layer of
// elements of edge h and modulus E has the stiffness E/h [Pa/m], and contact is
// a few times as stiff. The softer of the two sides limits the pressure, and
// the finer side is the most sensitive to the deflection:
//
//	k = factor layers min(E) / min(h)
//
// In plane strain a nearly incompressible layer, such as bonded rubber, is stiffer, and
// E is K + 4/3 G; its own step is as short. The penalty shortens the step only a little:
// nodes of the finer side have the mass of its own elements, and nodes of a coarser or
// stiffer side have more. Elements invert at pressures of about E, before the
// penetration exceeds the limit of contact.
const (
	layers       = 2.0  // in dynamics, where a stiffer contact needs shorter steps
	layersStatic = 20.0 // in a static analysis, which has no such steps
)

// bouncedDepth is the depth of a layer of a meshed body that gives way as much as a contact with restitution,
// over the length of the body: the contact must store most of the energy of an impact, see givenBack.
const bouncedDepth = 7.0

// rigidSpeed replaces the speed of sound for two rigid bodies in contact [m/s].
// They have no modulus; its square times the density is used instead.
const rigidSpeed = 300.0

// maxStiffnessRatio is the greatest ratio of the stiffnesses of two pairs of bodies
// under one law. Beyond it every pair of materials gets a contact of its own.
const maxStiffnessRatio = 10.0

// automatic returns the law of a contact that names no law.
var automatic = func() *namedLaw {
	model, _ := contact.Lookup("linear")
	l := &namedLaw{name: autoLaw, model: model, values: map[string]float64{}, auto: "k", factor: 1}
	var err error
	if l.law, err = l.with(1); err != nil {
		panic(err) // a mistake in this program
	}
	return l
}()

// bouncing returns the law of a contact with a coefficient of restitution and no law.
func bouncing(restitution float64) *namedLaw {
	model, _ := contact.Lookup("rebound")
	l := &namedLaw{name: autoLaw, model: model, values: map[string]float64{"restitution": restitution}, auto: "k", factor: 1}
	var err error
	if l.law, err = l.with(1); err != nil {
		panic(err) // the key has the bounds of the law
	}
	return l
}

// givingBack returns the law of a contact with restitution r between bodies that give back energy themselves, a
// share of what contact with its k gives back:
//
//	r^2 = (1 + share)/(1/r_law^2 + share)
func (l *namedLaw) givingBack(share float64) *namedLaw {
	to := *l
	to.values = maps.Clone(l.values)
	r := l.values["restitution"]
	to.values["restitution"] = r / math.Sqrt(1+float64(share*(1-float64(r*r))))
	return &to
}

// flank is the data of a body for the choice of stiffness.
type flank struct {
	body       int32
	components []int32 // of the body
	edges      []int32 // of the contact
	material   int32   // -1 for none
	rigid      bool
	held       bool    // contact cannot move it
	layer      float64 // modulus of a layer under pressure [Pa]
	young      float64 // [Pa]; for rigid bodies its replacement, 0 for none
	edge       float64 // the shortest edge; of a beam its height, of a rigid body its size [m]
	size       float64 // length by which the modulus is divided for the stiffness; the edge, except for beams [m]
	pressed    float64 // weight of a rigid body over its face, for a given penetration [Pa]
	length     float64 // of a meshed body that bounces, see lengths [m]
	deep       float64 // the root of its area [m]
}

// sameComponent tells whether two flanks are the same connected component of a body.
func (f *flank) sameComponent(o *flank) bool {
	return f.body == o.body && len(f.components) == 1 && len(o.components) == 1 && f.components[0] == o.components[0]
}

// pairing is the requirements of two materials that may meet.
type pairing struct {
	materials         [2]int32
	layer             float64
	young, edge, size float64 // of the stiffest of its pairs of bodies, as in flank; size 0 if none has a modulus
	rigid             bool    // both of these bodies are rigid
	pressed           float64 // by the heavier of them at rest, for a given penetration [Pa]
	given             float64 // energy that the bodies give back in an impact, over that which contact gives back
}

func (p *pairing) stiffness() float64 {
	if p.size == 0 {
		return 0
	}
	return p.layer / p.size
}

// autoLaw is the name of the law of a contact whose deck names none.
const autoLaw = "auto"

// fit notes the properties of the bodies that may meet, and sets the law's
// parameter from them. It returns one contact, or one for every pair of
// materials if these are too different.
func (r *resolver) fit(c *contactDef, l *namedLaw, s models.SurfaceContact) []models.SurfaceContact {
	if s.NodesPerElement == 0 {
		s.NodesPerElement = r.suitableNodes(&s)
	}
	if s.Penetration.Share > 0 {
		r.checkPenetration(c, l, &s)
	}
	pairs := r.pairings(&s)
	var most pairing
	least := math.Inf(1)
	for _, p := range pairs {
		if p.stiffness() > most.stiffness() {
			most = p
		}
		least = min(least, p.stiffness())
	}
	r.setSuitable(&s, most)
	if l.auto == "" {
		return []models.SurfaceContact{s}
	}
	if len(pairs) == 0 && s.Pair != nil {
		return nil // the materials do not meet here
	}
	if least == 0 || len(pairs) == 0 {
		give := "give " + l.auto + " of law " + strconv.Quote(l.name)
		if l.name == autoLaw {
			give = "give k in a [[law]] of the contact"
		}
		c.Bad("law", "%s = \"auto\" needs a side with a modulus or a rigid body with a mass that is not fixed, and neither side of this contact has one: say fixed = false for a rigid body that moves freely, or %s", l.auto, give)
	}
	if most.stiffness() <= maxStiffnessRatio*least {
		return []models.SurfaceContact{r.stiffened(c, l, s, most)}
	}
	var out []models.SurfaceContact
	for _, p := range pairs {
		s := s
		s.Of = s.Name
		s.Name += "." + r.materialName(p.materials[0]) + "-" + r.materialName(p.materials[1])
		s.Pair = &p.materials
		r.setSuitable(&s, p)
		out = append(out, r.stiffened(c, l, s, p))
	}
	return out
}

// suitableNodes returns the suitable number of contact nodes on an edge of a
// contact.
func (r *resolver) suitableNodes(s *models.SurfaceContact) int {
	if _, linear := s.Law.(contact.Linear); !linear || r.model.Static != nil {
		return usualNodes
	}
	for _, list := range [2][]int32{s.Contactor, s.Opposite} {
		for _, i := range list {
			if e := &r.mesh.Edges[i]; e.Radius != 0 || r.outline(e.Body) == nil {
				return usualNodes
			}
		}
	}
	return straightNodes
}

// rockingInertia is the moment of inertia of a square about the middle of its base, 5/12 of
// its mass times its squared width, over the mean squared arm of the springs at the base.
// That is 1/12 of the squared width for the springs along it, and 1/4 for the part of 0.45 of
// them at its ends.
const rockingInertia = 5. / 12 / (0.55/12 + 0.45/4)

// setSuitable sets the suitable stiffness of a pair.
func (r *resolver) setSuitable(s *models.SurfaceContact, p pairing) {
	n := layers
	if r.model.Static != nil {
		n = layersStatic
	}
	s.Young, s.Edge, s.Suitable, s.Layer = p.young, p.edge, n*p.stiffness(), p.layer
	if p.rigid {
		s.Young, s.Edge = 0, 0
	}
	if a := &s.Penetration; a.Share > 0 && p.size > 0 {
		a.Size, a.Depth, a.Gravity = p.size, a.Share*p.size, elementary.Norm(r.model.Gravity)
		a.Sink = p.pressed / s.Suitable
		a.Tilt = 2 * a.Sink / p.size
		if a.Gravity > 0 {
			a.Rocking = 2 * math.Pi * math.Sqrt(rockingInertia*a.Sink/a.Gravity)
		}
	}
}

// checkPenetration stops at a penetration from which no stiffness can follow, and finds
// the speed of the bodies at the start.
func (r *resolver) checkPenetration(c *contactDef, l *namedLaw, s *models.SurfaceContact) {
	if l.auto == "" {
		c.Bad("penetration", "penetration takes the place of k, and law %q has a k: leave one of them out", l.name)
	}
	s.Penetration.Speed = 0
	for _, list := range [2][]int32{s.Contactor, s.Opposite} {
		for _, i := range list {
			e := &r.mesh.Edges[i]
			b := r.outline(e.Body)
			if b == nil {
				c.Bad("penetration", "penetration is for rigid bodies, and %q is not one: the stiffness of its contact follows from its elements", r.mesh.Bodies[e.Body].Name)
			} else if b.Mass > 0 {
				arm := elementary.Norm(r2.Sub(r.mesh.X[e.A], b.Centre))
				s.Penetration.Speed = max(s.Penetration.Speed, elementary.Norm(b.Velocity)+float64(math.Abs(b.AngularVelocity)*arm))
			}
		}
	}
	if s.Penetration.Speed == 0 && r.model.Gravity == (r2.Vec{}) {
		c.Bad("penetration", "penetration needs a speed of impact, and there is neither gravity nor a velocity at the start: give k instead")
	}
}

// soften sets the replacement of a modulus of a body with density rho and size L, for a given
// penetration p relative to its size. v is the speed of a fall from the height L, or that of
// the fastest body:
//
//	m v^2/2 = k A (p L)^2/2,  m = rho L A,  k = rho v^2/(p^2 L)
func (r *resolver) soften(f *flank, a *models.Penetration) {
	b := r.outline(f.body)
	if b == nil || b.Mass == 0 {
		return
	}
	g := elementary.Norm(r.model.Gravity)
	area := b.area
	if area == 0 { // for a line
		area = 4 * b.size * b.size
	}
	size, density := math.Sqrt(area), b.Mass/(r.model.Thickness*area)
	v2 := max(2*g*size, a.Speed*a.Speed)
	f.edge, f.size, f.pressed = size, size, density*g*size
	f.young = density * v2 / (layers * a.Share * a.Share)
	f.layer = f.young
}

// stiffened returns a contact with its suitable stiffness, that of a pair.
func (r *resolver) stiffened(c *contactDef, l *namedLaw, s models.SurfaceContact, p pairing) models.SurfaceContact {
	if s.Bounces() {
		l = l.givingBack(l.factor * p.given)
	}
	law, err := l.with(s.Suitable)
	if err != nil {
		c.Bad("law", "%v", err)
	}
	s.Law, s.Factor = law, l.factor
	return s
}

func (r *resolver) materialName(i int32) string {
	if i < 0 {
		return "rigid"
	}
	return r.model.Materials[i].Name
}

// pairings returns the pairs of materials that may meet in a contact, in the
// order of its edges.
func (r *resolver) pairings(s *models.SurfaceContact) []pairing {
	var out []pairing
	first, second := r.flanks(s, s.Contactor), r.flanks(s, s.Opposite)
	for i := range first {
		for j := range second {
			a, b := &first[i], &second[j]
			if a.sameComponent(b) && !s.Self || a.held && b.held || elsewhere(s, a, b) || contactnodes.AreApart(s.Apart, a.body, b.body) {
				continue
			}
			of := [2]int32{a.material, b.material}
			turned := [2]int32{b.material, a.material}
			if s.Pair != nil && of != *s.Pair && turned != *s.Pair {
				continue
			}
			k := slices.IndexFunc(out, func(p pairing) bool { return p.materials == of || p.materials == turned })
			if k < 0 {
				k = len(out)
				out = append(out, pairing{materials: of})
			}
			if p := between(a, b); p.stiffness() > out[k].stiffness() {
				p.materials, p.given = out[k].materials, givenBack(a, b, &p)
				out[k] = p
			}
		}
	}
	return out
}

// between returns the softer modulus and the finer edge of two bodies. If only
// one of them is rigid, those of the elastic body count.
func between(a, b *flank) pairing {
	switch {
	case a.rigid && !b.rigid || a.young == 0:
		return pairing{layer: b.layer, young: b.young, edge: b.edge, size: b.size, rigid: b.rigid, pressed: b.pressed}
	case b.rigid && !a.rigid || b.young == 0:
		return pairing{layer: a.layer, young: a.young, edge: a.edge, size: a.size, rigid: a.rigid, pressed: a.pressed}
	}
	return pairing{layer: min(a.layer, b.layer), young: min(a.young, b.young), edge: min(a.edge, b.edge), size: min(a.size, b.size), rigid: a.rigid, pressed: max(a.pressed, b.pressed)}
}

// givenBack returns the energy that two meshed bodies give back in an impact, over that which contact between them
// gives back. A body that is braked evenly has the stress s at the contact and none behind it, at the depth h: it
// stores s^2 h/(6 E) on an area, and contact gives back s^2/(2 k). h goes from nearly 0 under a corner by way of the
// root of the area in a block that lands flat to the length of a bar that lands on its end; three quarters of the root
// of the area are taken, at most of the length that k is of, since a larger body does not take part as a whole. With
// k = E/(7 L) rebounds are then off by 1 to 2 % in the extremes.
func givenBack(a, b *flank, p *pairing) (share float64) {
	for _, f := range [2]*flank{a, b} {
		if f.length > 0 {
			share += layers * p.stiffness() * 0.75 * min(f.deep, p.size/(layers*bouncedDepth)) / (3 * f.layer)
		}
	}
	return share
}

// flanks returns the bodies that edges are of.
func (r *resolver) flanks(s *models.SurfaceContact, edges []int32) []flank {
	at, met := map[int32]int{}, map[int32]bool{} // by body, by component
	var out []flank
	for _, i := range edges {
		e := &r.mesh.Edges[i]
		k, known := at[e.Body]
		if !known {
			k = len(out)
			at[e.Body] = k
			out = append(out, r.flank(e.Body))
		}
		f := &out[k]
		if !known && s.Penetration.Share > 0 {
			r.soften(f, &s.Penetration)
		}
		if !met[e.Component] {
			met[e.Component] = true
			f.components = append(f.components, e.Component)
		}
		f.edges = append(f.edges, i)
		r.measure(f, i)
	}
	for k := range out {
		if f := &out[k]; s.Bounces() && r.mesh.Bodies[f.body].Kind == mesh.OfTriangles {
			f.length, f.deep = r.lengths(f.body)
			f.size = bouncedDepth * layers * f.length
		}
	}
	return out
}

// lengths returns the length of a meshed body, that of a rectangle with its greatest second moment of area, and the
// root of its area, of the mean of its components [m].
func (r *resolver) lengths(body int32) (length, deep float64) {
	b := &r.mesh.Bodies[body]
	of := map[int32]int{}
	var sums []moments
	for _, e := range r.mesh.Edges[b.FirstEdge:b.EndEdge] {
		k, known := of[e.Component]
		if !known {
			k = len(sums)
			of[e.Component] = k
			sums = append(sums, moments{})
		}
		sums[k].add(r.mesh.X[e.A], r.mesh.X[e.B])
	}
	var area, second float64
	for _, m := range sums {
		area += m.area / float64(len(sums))
		second += m.greatest() / float64(len(sums))
	}
	return math.Sqrt(12 * second / area), math.Sqrt(area)
}

// moments are the integrals of 1, x, y, x^2, y^2, x y over an area.
type moments struct{ area, x, y, xx, yy, xy float64 }

// add adds the triangle between the origin and an edge.
func (m *moments) add(p, q r2.Vec) {
	a := float64(0.5 * elementary.Cross(p, q))
	m.area += a
	m.x += float64(a * (p.X + q.X) / 3)
	m.y += float64(a * (p.Y + q.Y) / 3)
	m.xx += float64(a * (float64(p.X*p.X) + float64(p.X*q.X) + float64(q.X*q.X)) / 6)
	m.yy += float64(a * (float64(p.Y*p.Y) + float64(p.Y*q.Y) + float64(q.Y*q.Y)) / 6)
	m.xy += float64(a * (float64(2*p.X*p.Y) + float64(p.X*q.Y) + float64(q.X*p.Y) + float64(2*q.X*q.Y)) / 12)
}

// greatest returns the greatest second moment of area about an axis through the centroid [m4].
func (m *moments) greatest() float64 {
	xx, yy := m.xx-float64(m.x*m.x/m.area), m.yy-float64(m.y*m.y/m.area)
	xy := m.xy - float64(m.x*m.y/m.area)
	return float64(0.5*(xx+yy)) + elementary.Hypot(0.5*(xx-yy), xy)
}

// flank returns a body, without its edges.
func (r *resolver) flank(body int32) flank {
	f := flank{body: body, material: r.materialOf(body), edge: math.Inf(1), size: math.Inf(1)}
	b := r.outline(body)
	if b == nil {
		of := r.model.Materials[f.material]
		f.young, f.layer = of.Young, of.Layer(r.model.Plane)
		return f
	}
	f.rigid, f.held = true, b.isHeld()
	if b.Mass > 0 {
		f.edge, f.size = 2*b.size, 2*b.size
		f.young = b.Mass * rigidSpeed * rigidSpeed / (r.model.Thickness * f.edge * f.edge)
		f.layer = f.young
	}
	return f
}

// measure updates the size of a body from edge i. The section of a beam does
// not deform. Its size is chosen so that contact shortens the step as much as
// for a body with elements of the same length.
func (r *resolver) measure(f *flank, i int32) {
	e := &r.mesh.Edges[i]
	length := elementary.Norm(r.mesh.Along(i))
	switch beam := r.mesh.Bodies[e.Body].Kind == mesh.OfBeams; {
	case f.rigid || beam && r.flatEnd(i): // the faces give the size
	case beam:
		f.edge = r.bodies[e.Body].Height
		f.size = min(f.size, max(f.edge, 4*length*length/f.edge))
	default:
		f.edge = min(f.edge, length)
		f.size = f.edge
	}
}
