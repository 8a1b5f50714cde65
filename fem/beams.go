package fem

import (
	"fmt"
	"math"

	"fdem/materials/bulk"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Beams is a set of two-node Euler-Bernoulli beams in corotational form: large
// rotation, small strain (Crisfield, Non-linear Finite Element Analysis of
// Solids and Structures 1, section 7.2). A node has a position x [m] and a
// rotation theta [rad] since the reference state.
//
// The line between an element's nodes, its chord, is the frame of its strain.
// With the chord's length l and the ends' rotations a and b from it,
//
//	U = EA/(2L) (l - L)^2 + 2EI/L (a^2 + a b + b^2)
//
// so that N = EA (l - L)/L, Ma = 2EI/L (2a + b), Mb = 2EI/L (a + 2b).
//
// The chord's own rotation is measured from the mean rotation of the two ends. That
// angle stays small however often the beam has turned, so nothing jumps after a full
// turn and no history is needed.
type Beams struct {
	element   []beam
	section   []int32
	sections  []Section
	id        []int32 // the file's number of each beam
	endMasses []endMasses
	shares    []float64 // per beam: the factor of its forces, 0 before it is installed and once it is gone; nil if all are there all the time
	ages      []float64 // per beam: the factor of Young's modulus by its age; nil if shares is
	origins   []float64 // three per beam: stretch [m] and rotations of the ends from the chord [rad] at its installation
}

// Stage lets beams come and go: each has a factor of its forces, 1 until SetShares.
func (b *Beams) Stage() {
	b.shares, b.ages, b.origins = make([]float64, len(b.element)), make([]float64, len(b.element)), make([]float64, 3*len(b.element))
	b.SetShares(0, len(b.element), 1)
	for i := range b.ages {
		b.ages[i] = 1
	}
}

// Age gives the beams [first, end) a factor of Young's modulus for later strains: their forces at positions x and
// rotations theta stay as they are. It returns the energy that this takes, without the factors of
// their forces [J].
func (b *Beams) Age(first, end int, to float64, x []r2.Vec, theta []float64) (taken float64) {
	for i := first; i < end; i++ {
		was := b.stored(i, x, theta)
		k, by := b.chord(i, x, theta), b.ages[i]/to-1
		o := b.origins[3*i : 3*i+3]
		o[0], o[1], o[2] = o[0]-float64(by*k.stretch), o[1]-float64(by*k.a), o[2]-float64(by*k.b)
		b.ages[i] = to
		taken += was - b.stored(i, x, theta)
	}
	return taken
}

// Ages returns the factors of Young's modulus, as they are kept in a checkpoint.
func (b *Beams) Ages() []float64 { return b.ages }

// stiff returns the factor of the stiffness of beam i.
func (b *Beams) stiff(i int) float64 {
	if b.shares == nil {
		return 1
	}
	return b.shares[i] * b.ages[i]
}

// SetShares gives the beams [first, end) a factor of their forces. Their mass stays.
func (b *Beams) SetShares(first, end int, share float64) {
	for i := first; i < end; i++ {
		b.shares[i] = share
	}
}

// Share returns the factor of the forces of beam i.
func (b *Beams) Share(i int) float64 {
	if b.shares == nil {
		return 1
	}
	return b.shares[i]
}

// Install lets the shape of beam i at positions x and rotations theta be that without load.
func (b *Beams) Install(i int, x []r2.Vec, theta []float64) {
	k := b.element[i].chord(x, theta)
	copy(b.origins[3*i:], []float64{k.stretch, k.a, k.b})
}

// Origins returns the shapes in which beams were installed, as they are kept in a checkpoint.
func (b *Beams) Origins() []float64 { return b.origins }

// chord returns the chord of beam i with stretch and rotations since its installation.
func (b *Beams) chord(i int, x []r2.Vec, theta []float64) chord {
	k := b.element[i].chord(x, theta)
	if b.origins != nil {
		k.stretch, k.a, k.b = k.stretch-b.origins[3*i], k.a-b.origins[3*i+1], k.b-b.origins[3*i+2]
	}
	return k
}

// beam is 48 bytes.
type beam struct {
	a, b    int32
	c, s    float64 // direction of the reference chord
	length  float64 // of the reference chord [m]
	axial   float64 // EA/L [N/m]
	bending float64 // 2EI/L [Nm]
}

// Section is the stiffness and mass of a beam's cross-section.
type Section struct {
	EA   float64 // axial stiffness [N]
	EI   float64 // bending stiffness [Nm2]
	RhoA float64 // mass per length [kg/m]
	RhoI float64 // rotary inertia per length [kg m]; 0 in the theory of Euler and Bernoulli
}

// Rectangle returns the section of material m with the given width (out of the
// plane) and height (in the plane) [m].
func Rectangle(m bulk.Elastic, width, height float64) Section {
	area := width * height
	inertia := area * height * height / 12
	return Section{EA: m.Young * area, EI: m.Young * inertia, RhoA: m.Density * area, RhoI: m.Density * inertia}
}

// Validate returns an error naming the rule that the section breaks.
func (s Section) Validate() error {
	switch {
	case !(s.EA > 0) || math.IsInf(s.EA, 0):
		return fmt.Errorf("axial stiffness must be positive, got %g N", s.EA)
	case !(s.EI > 0) || math.IsInf(s.EI, 0):
		return fmt.Errorf("bending stiffness must be positive, got %g Nm2", s.EI)
	case !(s.RhoA > 0) || math.IsInf(s.RhoA, 0):
		return fmt.Errorf("mass per length must be positive, got %g kg/m", s.RhoA)
	case !(s.RhoI >= 0) || math.IsInf(s.RhoI, 0):
		return fmt.Errorf("rotary inertia per length must not be negative, got %g kg m", s.RhoI)
	}
	return nil
}

// NewBeams prepares beams between pairs of nodes at the reference positions x [m],
// straight and without stress. id holds the file's numbers for messages, section the
// index into sections of each beam. It fails if a section is not valid or a beam has
// no length; the error names the beam's number.
func NewBeams(x []r2.Vec, pairs [][2]int32, id []int32, section []int32, sections []Section) (*Beams, error) {
	for i, s := range sections {
		if err := s.Validate(); err != nil {
			return nil, fmt.Errorf("section %d: %w", i, err)
		}
	}
	b := &Beams{element: make([]beam, len(pairs)), section: section, sections: sections, id: id}
	for i, n := range pairs {
		d := r2.Sub(x[n[1]], x[n[0]])
		l := math.Sqrt(float64(d.X*d.X) + float64(d.Y*d.Y))
		if !(l > 0) || math.IsInf(l, 0) {
			return nil, fmt.Errorf("beam %d: length must be positive, got %g m", id[i], l)
		}
		s := sections[section[i]]
		b.element[i] = beam{
			a: n[0], b: n[1], c: d.X / l, s: d.Y / l, length: l,
			axial: s.EA / l, bending: 2 * s.EI / l,
		}
	}
	b.endMasses = b.divideMasses(len(x))
	return b, nil
}

// FoldError reports a beam whose ends have rotated by 90 degrees or more from the
// line between them, that has no length, or whose positions are NaN.
type FoldError struct {
	Element  int32  // the file's number
	Index    int32  // the mesh's number
	Position r2.Vec // middle [m]
}

func (e *FoldError) Error() string {
	return fmt.Sprintf("beam %d at (%.6g, %.6g) m is folded: its ends have turned by 90 degrees or more against the line between them", e.Element, e.Position.X, e.Position.Y)
}

// folded returns the error of beam i.
func (b *Beams) folded(i int, x []r2.Vec) error {
	e := &b.element[i]
	return &FoldError{b.id[i], int32(i), r2.Scale(0.5, r2.Add(x[e.a], x[e.b]))}
}

// chord is the state of one beam.
type chord struct {
	length  float64 // [m]
	stretch float64 // beyond that without load [m]
	c, s    float64 // direction
	a, b    float64 // the ends' rotations from it [rad]
	ahead   float64 // its component along the mean direction of the ends [m]
}

// chord returns the beam's chord at positions x and rotations theta.
func (e *beam) chord(x []r2.Vec, theta []float64) chord {
	pa, pb, ta, tb := x[e.a], x[e.b], theta[e.a], theta[e.b]
	dx, dy := pb.X-pa.X, pb.Y-pa.Y
	l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	// mean direction of the ends
	s, c := elementary.Sincos(0.5 * (ta + tb))
	mx, my := float64(c*e.c)-float64(s*e.s), float64(s*e.c)+float64(c*e.s)
	ux, uy := float64(dx*mx)+float64(dy*my), float64(dy*mx)-float64(dx*my)
	turn, half := float64(arc(ux, uy, l)), float64(0.5*(tb-ta))
	return chord{length: l, stretch: l - e.length, c: dx / l, s: dy / l, a: -half - turn, b: half - turn, ahead: ux}
}

// forces returns the axial force of beam i [N] and the moments on both ends [Nm].
func (b *Beams) forces(i int, k *chord) (n, ma, mb float64) {
	e, by := &b.element[i], b.stiff(i)
	return float64(by * e.axial * k.stretch),
		float64(by * e.bending * (float64(2*k.a) + k.b)),
		float64(by * e.bending * (k.a + float64(2*k.b)))
}

// AddForces adds the internal forces -dU/dx [N] to f and the internal moments
// -dU/dtheta [Nm] to moment, at positions x and rotations theta, one value per node
// each, in element order. It stops with a *FoldError at the first beam that is
// folded or has NaN positions or rotations. f and moment are then incomplete.
func (b *Beams) AddForces(f []r2.Vec, moment []float64, x []r2.Vec, theta []float64) error {
	element := b.element
	for i := range element {
		e := &element[i]
		k := b.chord(i, x, theta)
		if !(k.ahead > 0) { // also true for NaN
			return b.folded(i, x)
		}
		n, ma, mb := b.forces(i, &k)
		e.add(f, moment, k.c, k.s, n, ma, mb, (ma+mb)/k.length)
	}
	return nil
}

// add subtracts the gradient of U from the forces and moments: N along the chord,
// the transverse pair of forces w = (Ma + Mb)/l, and the moments.
func (e *beam) add(f []r2.Vec, moment []float64, c, s, n, ma, mb, w float64) {
	gx, gy := float64(n*c)+float64(w*s), float64(n*s)-float64(w*c)
	fa := &f[e.a]
	fa.X += gx
	fa.Y += gy
	fb := &f[e.b]
	fb.X -= gx
	fb.Y -= gy
	moment[e.a] -= ma
	moment[e.b] -= mb
}

// StrainEnergy returns the elastic energy at positions x and rotations theta [J].
func (b *Beams) StrainEnergy(x []r2.Vec, theta []float64) float64 {
	u := 0.0
	for i := range b.element {
		u += float64(b.Share(i) * b.stored(i, x, theta))
	}
	return u
}

// Stored returns the elastic energy of the beams [first, end) without the factors of their forces [J].
func (b *Beams) Stored(first, end int, x []r2.Vec, theta []float64) (sum float64) {
	for i := first; i < end; i++ {
		sum += b.stored(i, x, theta)
	}
	return sum
}

// stored is Stored for one beam.
func (b *Beams) stored(i int, x []r2.Vec, theta []float64) float64 {
	e, k := &b.element[i], b.chord(i, x, theta)
	d, age := k.stretch, 1.0
	if b.ages != nil {
		age = b.ages[i]
	}
	return float64(0.5*age*e.axial*d*d) + float64(age*e.bending*(float64(k.a*k.a)+float64(k.a*k.b)+float64(k.b*k.b)))
}

// AddDamping adds the viscous forces of stiffness-proportional damping
// (Kelvin-Voigt) with the factor beta [s], at positions x, velocities v [m/s] and
// angular velocities omega [rad/s]: N_v = beta EA/L dl/dt, and moments likewise. A
// rigid motion causes no force.
func (b *Beams) AddDamping(f []r2.Vec, moment []float64, x, v []r2.Vec, omega []float64, beta float64) {
	for i := range b.element {
		e, beta := &b.element[i], beta*b.stiff(i)
		dx, dy := x[e.b].X-x[e.a].X, x[e.b].Y-x[e.a].Y
		vx, vy := v[e.b].X-v[e.a].X, v[e.b].Y-v[e.a].Y
		l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		c, s := dx/l, dy/l
		spin := (float64(c*vy) - float64(s*vx)) / l
		wa, wb := omega[e.a]-spin, omega[e.b]-spin
		n := float64(beta * e.axial * (float64(c*vx) + float64(s*vy)))
		ma := float64(beta * e.bending * (float64(2*wa) + wb))
		mb := float64(beta * e.bending * (wa + float64(2*wb)))
		e.add(f, moment, c, s, n, ma, mb, (ma+mb)/l)
	}
}

// Lumped returns half the mass of beam i [kg] and the rotary inertia of one end [kg
// m2]. The inertia is that of the section and of half the beam as a rigid rod about
// its end, L/2 (rho I + rho A L^2/12). The second part vanishes with L^2; with it
// rotations do not limit the time step.
func (b *Beams) Lumped(i int) (mass, inertia float64) {
	l, s := b.element[i].length, &b.sections[b.section[i]]
	return float64(0.5 * l * s.RhoA), float64(0.5 * l * (s.RhoI + float64(s.RhoA*l*l)/12))
}

// AddMasses adds the lumped mass [kg] and rotary inertia [kg m2] of both ends
// of every beam, one value per node.
func (b *Beams) AddMasses(mass, inertia []float64) {
	for i := range b.element {
		e := &b.element[i]
		m, j := b.Lumped(i)
		mass[e.a] += m
		mass[e.b] += m
		inertia[e.a] += j
		inertia[e.b] += j
	}
}

// ConsistentMass fills m with the mass matrix of beam i from linear shape
// functions along the chord at positions x and cubic ones across it. Rows and
// columns are x, y and theta of the first node, then of the second [kg, kg m,
// kg m2].
func (b *Beams) ConsistentMass(i int, x []r2.Vec, m *[6][6]float64) {
	e, q := &b.element[i], &b.sections[b.section[i]]
	d := r2.Sub(x[e.b], x[e.a])
	d = r2.Scale(1/math.Sqrt(float64(d.X*d.X)+float64(d.Y*d.Y)), d)
	l := e.length
	p, r := q.RhoA*l/420, q.RhoI/(30*l)
	along := [2][2]float64{{140 * p, 70 * p}, {70 * p, 140 * p}}
	// deflection and rotation of the first end, then of the second
	a, ab := float64(156*p)+float64(36*r), float64(54*p)-float64(36*r)
	near, far := l*(float64(22*p)+float64(3*r)), l*(float64(3*r)-float64(13*p))
	turn, turns := l*l*(float64(4*p)+float64(4*r)), -l*l*(float64(3*p)+r)
	across := [4][4]float64{
		{a, near, ab, far},
		{near, turn, -far, turns},
		{ab, -far, a, -near},
		{far, turns, -near, turn},
	}
	for i := range 2 {
		for j := range 2 {
			u, w := along[i][j], across[2*i][2*j]
			m[3*i][3*j] = float64(u*d.X*d.X) + float64(w*d.Y*d.Y)
			m[3*i][3*j+1] = (u - w) * d.X * d.Y
			m[3*i+1][3*j] = (u - w) * d.X * d.Y
			m[3*i+1][3*j+1] = float64(u*d.Y*d.Y) + float64(w*d.X*d.X)
			m[3*i][3*j+2] = -d.Y * across[2*i][2*j+1]
			m[3*i+1][3*j+2] = d.X * across[2*i][2*j+1]
			m[3*i+2][3*j] = -d.Y * across[2*i+1][2*j]
			m[3*i+2][3*j+1] = d.X * across[2*i+1][2*j]
			m[3*i+2][3*j+2] = across[2*i+1][2*j+1]
		}
	}
}

// MaxFrequencySquared returns an upper bound of the squared angular frequencies of
// small vibrations about positions x and rotations theta [1/s2]. It is the greatest
// of all single beams, each with its share of the lumped masses. By Rayleigh's
// quotient no assembly of the beams has a higher one, whatever its supports and
// additional masses.
//
// For ends of mass m1 and m2 and rotary inertia J1 and J2 the squared frequency
// of stretching is EA/L u with u = 1/m1 + 1/m2, that of bending the greater
// root of
//
//	w^2 - 2EI/L (2/J1 + 2/J2 + 6s) w + 3 (2EI/L)^2 (1/(J1 J2) + s/J1 + s/J2)
//
// with s = u/l^2. The geometric stiffness adds at most u/l (N/2 + sqrt(N^2/4 +
// Q^2)) with the shear force Q.
func (b *Beams) MaxFrequencySquared(x []r2.Vec, theta []float64) float64 {
	greatest := 0.0
	for i := range b.element {
		greatest = max(greatest, b.frequencySquared(i, x, theta))
	}
	return greatest
}

// Fastest returns the first beam whose own frequency is that of
// MaxFrequencySquared, -1 for none.
func (b *Beams) Fastest(x []r2.Vec, theta []float64) int {
	best, greatest := -1, 0.0
	for i := range b.element {
		if w := b.frequencySquared(i, x, theta); w > greatest {
			best, greatest = i, w
		}
	}
	return best
}

// Held returns a bound of the squared frequency of bending of the straight beam i
// while the rotation at its node n is held, with the beam's share of the lumped
// masses [1/s2]. It also returns the stiffness of that rotation while all other
// degrees of freedom are held [N m].
func (b *Beams) Held(i int, n int32) (omega2, stiffness float64) {
	e, m := &b.element[i], &b.endMasses[i]
	u := 1/m.mass[0] + 1/m.mass[1]
	q, s := 1/m.inertia[0], u/(e.length*e.length)
	if e.a == n {
		q = 1 / m.inertia[1]
	}
	half := q + float64(3*s)
	return e.bending * (half + math.Sqrt(max(0, float64(half*half)-float64(3*s*q)))), 2 * e.bending
}

// frequencySquared bounds the highest squared frequency of one beam [1/s2].
func (b *Beams) frequencySquared(i int, x []r2.Vec, theta []float64) float64 {
	e, m := &b.element[i], &b.endMasses[i]
	k := b.chord(i, x, theta)
	n, ma, mb := b.forces(i, &k)
	l := k.length
	u := 1/m.mass[0] + 1/m.mass[1]
	p, q, s := 1/m.inertia[0], 1/m.inertia[1], u/(l*l)
	half := p + q + float64(3*s)
	root := half + math.Sqrt(max(0, float64(half*half)-float64(3*(float64(p*q)+float64(s*(p+q))))))
	shear := (ma + mb) / l
	geometric := float64(u / l * (float64(0.5*n) + math.Sqrt(float64(0.25*n*n)+float64(shear*shear))))
	return max(float64(e.axial*u), float64(e.bending*root)) + geometric
}

// endMasses is one beam's part of the lumped masses of its ends.
type endMasses struct{ mass, inertia [2]float64 }

// divideMasses divides the lumped mass of every node among its beams, in proportion
// to their stiffness. Any division gives a bound. This division gives a short beam
// between long ones more mass, and so a lower bound.
func (b *Beams) divideMasses(nodes int) []endMasses {
	mass, inertia := make([]float64, nodes), make([]float64, nodes)
	b.AddMasses(mass, inertia)
	stiff, bending := make([]float64, nodes), make([]float64, nodes)
	across := func(e *beam) float64 { return e.axial + float64(6*e.bending/(e.length*e.length)) }
	for i := range b.element {
		e := &b.element[i]
		for _, n := range [2]int32{e.a, e.b} {
			stiff[n] += across(e)
			bending[n] += e.bending
		}
	}
	out := make([]endMasses, len(b.element))
	for i := range out {
		e := &b.element[i]
		for k, n := range [2]int32{e.a, e.b} {
			out[i].mass[k] = mass[n] * across(e) / stiff[n]
			out[i].inertia[k] = inertia[n] * e.bending / bending[n]
		}
	}
	return out
}

// BeamForces are the forces in one beam. MA and MB are the moments that the nodes
// exert on its ends, positive anticlockwise. The shear force is the force that the
// second node exerts on its end across the chord, positive to the left of the
// direction from the first node to the second. The bending moment varies linearly
// from -MA to MB.
type BeamForces struct {
	N      float64 // axial force, positive in tension [N]
	Shear  float64 // -(MA + MB)/l [N]
	MA, MB float64 // [Nm]
}

// Moment returns the bending moment in the middle [Nm].
func (f *BeamForces) Moment() float64 { return 0.5 * (f.MB - f.MA) }

// Stress returns the axial stress N/A [Pa] of a rectangular section of the given
// width and height [m] in a beam along the unit vector d, and the greatest stress
// of any fibre [Pa], |N|/A + |M|/W with the section modulus W = width height^2/6
// and the greater end moment. It is also the equivalent stress of von Mises.
func (f *BeamForces) Stress(width, height float64, d r2.Vec) (axial Stress, greatest float64) {
	pull, bend := f.fibres(width, height)
	return Stress{XX: pull * d.X * d.X, YY: pull * d.Y * d.Y, XY: pull * d.X * d.Y}, math.Abs(pull) + bend
}

// fibres returns the axial stress, and that of the outermost fibre by bending, of a rectangular section [Pa].
func (f *BeamForces) fibres(width, height float64) (pull, bend float64) {
	area := width * height
	return f.N / area, 6 * max(math.Abs(f.MA), math.Abs(f.MB)) / (area * height)
}

// Utilisation returns the greatest stress of a fibre in a rectangular section of the given width and height [m]
// over its strength in compression and in tension [Pa], the greater of the two.
func (f *BeamForces) Utilisation(width, height float64, strength [2]float64) float64 {
	if strength[0] == 0 {
		return 0
	}
	pull, bend := f.fibres(width, height)
	return max((bend-pull)/strength[0], (bend+pull)/strength[1])
}

// Forces fills out, one value per beam, at positions x and rotations theta.
func (b *Beams) Forces(x []r2.Vec, theta []float64, out []BeamForces) {
	for i := range b.element {
		k := b.chord(i, x, theta)
		n, ma, mb := b.forces(i, &k)
		out[i] = BeamForces{N: n, Shear: -(ma + mb) / k.length, MA: ma, MB: mb}
	}
}

// Tangent fills k with the tangent stiffness d2U/dx2 of beam i at positions x
// and rotations theta [N/m, N, Nm], rows and columns x, y and theta of the
// first node, then of the second. With r = dl/dx, z = l dbeta/dx and the
// chord's rotation beta,
//
//	K = EA/L r r^T + 2EI/L (2 ga ga^T + ga gb^T + gb ga^T + 2 gb gb^T)
//	  + N/l z z^T + (Ma + Mb)/l^2 (r z^T + z r^T)
//
// where ga and gb are the gradients of the ends' rotations relative to the
// chord (Crisfield, section 7.2). K is exactly symmetric.
func (b *Beams) Tangent(i int, x []r2.Vec, theta []float64, k *[6][6]float64) {
	e := &b.element[i]
	h := b.chord(i, x, theta)
	n, ma, mb := b.forces(i, &h)
	l := h.length
	r := [6]float64{-h.c, -h.s, 0, h.c, h.s, 0}
	z := [6]float64{h.s, -h.c, 0, -h.s, h.c, 0}
	var ga, gb [6]float64
	for p := range 6 {
		ga[p], gb[p] = -z[p]/l, -z[p]/l
	}
	ga[2], gb[5] = 1, 1
	along, across, axial, bending := n/l, (ma+mb)/(l*l), b.stiff(i)*e.axial, b.stiff(i)*e.bending
	for p := range 6 {
		ka, kb := bending*(float64(2*ga[p])+gb[p]), bending*(ga[p]+float64(2*gb[p]))
		for q := p; q < 6; q++ {
			w := float64(axial*r[p]*r[q]) + (float64(ka*ga[q]) + float64(kb*gb[q])) +
				float64(along*z[p]*z[q]) + float64(across*(float64(r[p]*z[q])+float64(z[p]*r[q])))
			k[p][q], k[q][p] = w, w
		}
	}
}

func (b *Beams) ends() ends {
	e := ends{each: 2, freedoms: 3}
	for i := range b.element {
		e.node = append(e.node, b.element[i].a, b.element[i].b)
	}
	return e
}

// AddBeams adds the tangent stiffness of the beams the pattern was built from,
// at positions x and rotations theta, to the values val, in element order.
func (p *Pattern) AddBeams(val []float64, b *Beams, x []r2.Vec, theta []float64) {
	var k [6][6]float64
	set := p.set(b)
	for i := range b.element {
		b.Tangent(i, x, theta, &k)
		p.add(val, set, i, &k)
	}
}

// AddConsistentMasses adds the mass matrices of the beams the pattern was
// built from, at positions x, to the values val, in element order.
func (p *Pattern) AddConsistentMasses(val []float64, b *Beams, x []r2.Vec) {
	var m [6][6]float64
	set := p.set(b)
	for i := range b.element {
		b.ConsistentMass(i, x, &m)
		p.add(val, set, i, &m)
	}
}
