package diffusion

import (
	"math"

	"fdem/solver/bodies"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Thermal expansion. A triangle has the mean temperature of its corners, and the free strain alpha
// theta. In plane strain that of an elastic one is (1 + nu) alpha theta in the plane, with the stress -E alpha
// theta out of it besides that of its strain; a law with a memory has alpha theta in all directions.
// Expansion does work on stressed bodies: external work of the source
// "heat" in the ledger.

// mayExpand prepares the triangles if a material expands.
func (k *Heat) mayExpand() {
	expands := false
	for i := range k.Model.Bodies {
		m := k.Model.Bodies[i].Material
		if b := &k.Mesh.Bodies[i]; k.of.Materials[m].Expansion == 0 || b.First == b.End {
			continue
		}
		expands = true
	}
	if !expands {
		return
	}
	k.triangles.MaySwell()
	n := len(k.Mesh.Triangles)
	k.beta, k.before, k.swelledAt = make([]float64, n), make([]float64, n), math.Inf(-1)
	k.changed = k.Static == nil
	if k.triangles.Lawful() {
		k.push, k.swell = make([]float64, n), make([]float64, n)
	}
}

// strain returns the free strain of a triangle in the plane.
func (k *Heat) strain(s *state, t int) float64 {
	n, m := k.Mesh.Triangles[t], k.material[t]
	c := &k.of.Materials[m]
	if c.Expansion == 0 {
		return 0
	}
	theta := (s.theta[n[0]]+s.theta[n[1]]+s.theta[n[2]])/3 + (k.reference - c.StressFree)
	beta := c.Expansion * theta
	if c.Expansions != nil {
		beta = c.Expansions.Integral(c.StressFree, c.StressFree+theta)
	}
	if k.inPlaneStrain() && !k.triangles.SwellsAcross(t) {
		beta *= 1 + k.elastic(int32(t)).Poisson
	}
	return beta
}

// swells gives a triangle its free strain in the plane, which was another one a step ago. In plane strain the
// one across is held, by a stress.
func (k *Heat) swells(t int, was, beta float64) {
	axial := 0.0
	if k.inPlaneStrain() && !k.triangles.SwellsAcross(t) {
		of := k.elastic(int32(t))
		axial = -of.Young * beta / (1 + of.Poisson)
	}
	k.triangles.Swell(t, was, beta, axial)
}

// expand gives the triangles the free strains of a state. With commit it records the work of the
// change since the last commit.
func (k *Heat) expand(s *state, commit bool) {
	if k.beta == nil {
		return
	}
	if k.Static != nil && k.Time == 0 { // the first increment begins without thermal stress
		return
	}
	work, most := 0.0, k.most
	var before []r2.Vec
	if commit {
		before = k.earlier()
	}
	for t := range k.beta {
		if k.isGone(int32(t)) {
			continue
		}
		beta := k.strain(s, t)
		if commit && k.N > 0 {
			if beta != k.beta[t] {
				work += k.triangles.SwellingWork(t, before, k.X, k.beta[t], beta)
			}
			if k.swell != nil {
				k.swell[t] = beta - k.beta[t]
			}
		}
		was := k.beta[t]
		if k.Time == k.swelledAt { // it is evaluated again
			was = k.before[t]
		}
		k.swells(t, was, beta)
		if commit {
			k.before[t], k.beta[t] = was, beta
			most = max(most, math.Abs(beta))
		}
	}
	if commit {
		k.swelledAt, k.still = k.Time, false
		k.Ledger.Record(k.source, work)
		k.measure(most)
	}
}

// earlier returns the positions at the start of the step that led to Time [m].
func (k *Heat) earlier() []r2.Vec {
	x := append(k.work.x0[:0], k.X...)
	for i, v := range k.V {
		x[i].X -= float64(v.X * k.Last)
		x[i].Y -= float64(v.Y * k.Last)
	}
	k.work.x0 = x
	return x
}

// measure measures the frequencies of triangles anew if free strains have grown.
func (k *Heat) measure(most float64) {
	const enough = 1e-3
	if most-k.most > enough && k.Static == nil {
		k.most = most
		k.frequency = max(k.frequency, k.triangles.MaxFrequencySquared(k.Mesh.X))
	}
}

// Bound adds the frequencies of triangles that have expanded.
func (k *Heat) Bound(b *system.Bounds) {
	b.Elements.Raise(k.frequency, system.Cause{What: bodies.OfTriangles})
}

// recordPush records the work of expansion on triangles with laws, half of it by their stress
// before.
func (k *Heat) recordPush() {
	if k.push == nil {
		return
	}
	work := 0.0
	for t := range k.push {
		if k.isGone(int32(t)) {
			continue
		}
		now := k.triangles.SwellingForce(t)
		work += float64(0.5 * (k.push[t] + now) * k.swell[t])
		k.push[t], k.swell[t] = now, 0
	}
	k.Ledger.Record(k.source, work)
}

// SquaredPush returns the sum of the squares of the forces on nodes that would hold all free
// strains [N2].
func (k *Heat) SquaredPush() (sum float64) {
	if k.beta == nil {
		return 0
	}
	force := make([]r2.Vec, len(k.X))
	for t, n := range k.Mesh.Triangles {
		if k.isGone(int32(t)) {
			continue
		}
		push, of := k.triangles.SwellingPush(t)
		for c, g := range of {
			force[n[c]].X += float64(push * g.X)
			force[n[c]].Y += float64(push * g.Y)
		}
	}
	for _, f := range force {
		sum += float64(f.X*f.X) + float64(f.Y*f.Y)
	}
	return sum
}
