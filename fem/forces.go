package fem

import (
	"unsafe"

	"gonum.org/v1/gonum/spatial/r2"
)

// AddForces assembles the internal forces: it adds -dU/dx at positions x to f,
// one value per node each, in element order. It stops with an *InversionError at
// the first triangle that is inverted or has NaN positions. f is then
// incomplete.
func (t *Triangles) AddForces(f, x []r2.Vec) error {
	f, x = f[:t.nodes], x[:t.nodes] // kernels do not check bounds
	for k := range t.runs {
		r := &t.runs[k]
		if r.law != nil {
			if err := t.addLawful(r, f, x); err != nil {
				return err
			}
			continue
		}
		b := t.blocks[r.block:r.end]
		if done := t.kernel.add(b, f, x, 0, t.constants[r.material]); done < len(b) {
			return t.inverted(r, r.block+int32(done), x)
		}
	}
	return nil
}

// addForces adds the internal forces of blocks at positions x to f, where
// f[n-low] is the force on node n. It returns the number of blocks done: all, or
// fewer if the next block has a triangle that is inverted or NaN.
//
// Products and sums are separate operations, so that every machine rounds in the
// same way. This is the generic kernel; vector_amd64.s does the same for four
// triangles at once. Both access nodes without bounds checks. This kernel
// computes all stresses of a block before its forces. Then triangles do not wait
// for one another, which saves a quarter of the time.
func addForces(blocks []block, f, x []r2.Vec, low int32, c *constants) int {
	half11, half12, shear := c.half11[0], c.half12[0], c.shear[0]
	count := len(blocks)
	if count == 0 {
		return 0
	}
	at, force, before := unsafe.Pointer(&x[0]), unsafe.Pointer(&f[0]), low*stride
	var state [lanes]struct{ fxx, fxy, fyx, fyy, sxx, syy, sxy float64 } // F and V S
	for len(blocks) > 0 {
		e := &blocks[0]
		for l := range lanes {
			pa, pb, pc := node(at, e.a[l]), node(at, e.b[l]), node(at, e.c[l])
			x1, y1, x2, y2 := pb.X-pa.X, pb.Y-pa.Y, pc.X-pa.X, pc.Y-pa.Y
			bx, by, cx, cy := e.bx[l], e.by[l], e.cx[l], e.cy[l]
			// F = sum x_a (x) grad N_a
			fxx, fxy := float64(x1*bx)+float64(x2*cx), float64(x1*by)+float64(x2*cy)
			fyx, fyy := float64(y1*bx)+float64(y2*cx), float64(y1*by)+float64(y2*cy)
			det := float64(fxx*fyy) - float64(fxy*fyx)
			if !(det > 0) { // also true for NaN
				return count - len(blocks)
			}
			exx := float64(fxx*fxx) + (float64(fyx*fyx) - 1) // 2 Exx
			eyy := float64(fxy*fxy) + (float64(fyy*fyy) - 1)
			exy := float64(fxx*fxy) + float64(fyx*fyy)
			s, v := &state[l], e.volume[l]
			s.fxx, s.fxy, s.fyx, s.fyy = fxx, fxy, fyx, fyy
			s.sxx = v * (float64(exx*half11) + float64(eyy*half12))
			s.syy = v * (float64(exx*half12) + float64(eyy*half11))
			s.sxy = v * (exy * shear)
		}
		for l := range lanes {
			s := &state[l]
			fxx, fxy, fyx, fyy := s.fxx, s.fxy, s.fyx, s.fyy
			sxx, syy, sxy := s.sxx, s.syy, s.sxy
			bx, by, cx, cy := e.bx[l], e.by[l], e.cx[l], e.cy[l]
			// V P = V F S
			pxx, pxy := float64(fxx*sxx)+float64(fxy*sxy), float64(fxx*sxy)+float64(fxy*syy)
			pyx, pyy := float64(fyx*sxx)+float64(fyy*sxy), float64(fyx*sxy)+float64(fyy*syy)
			gbx, gby := float64(pxx*bx)+float64(pxy*by), float64(pyx*bx)+float64(pyy*by)
			gcx, gcy := float64(pxx*cx)+float64(pxy*cy), float64(pyx*cx)+float64(pyy*cy)
			fa := node(force, e.a[l]-before)
			fa.X += gbx + gcx
			fa.Y += gby + gcy
			fb := node(force, e.b[l]-before)
			fb.X -= gbx
			fb.Y -= gby
			fc := node(force, e.c[l]-before)
			fc.X -= gcx
			fc.Y -= gcy
		}
		blocks = blocks[1:]
	}
	return count
}

// node returns the vector at an offset in bytes from the first node.
func node(first unsafe.Pointer, offset int32) *r2.Vec {
	return (*r2.Vec)(unsafe.Add(first, uint32(offset)))
}

// inverted returns the error of the first inverted triangle of block b of run
// r.
func (t *Triangles) inverted(r *run, b int32, x []r2.Vec) error {
	for l := range lanes {
		e := t.blocks[b].at(l, r.material)
		g := t.gradient(&e, x)
		det := float64(g.xx*g.yy) - float64(g.xy*g.yx)
		if det > 0 {
			continue
		}
		i := t.number(r, b, l)
		a, b, c := x[e.a], x[e.b], x[e.c]
		return &InversionError{t.id[i], int32(i), r2.Vec{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3}, det}
	}
	return nil
}

// tensor is a 2 by 2 matrix.
type tensor struct{ xx, xy, yx, yy float64 }

// gradient returns sum p_a (x) grad N_a of a nodal field p.
func (t *Triangles) gradient(e *element, p []r2.Vec) tensor {
	return gradient(&p[e.a], &p[e.b], &p[e.c], e.bx, e.by, e.cx, e.cy)
}

// gradient returns sum p_a (x) grad N_a of the values at the corners.
func gradient(pa, pb, pc *r2.Vec, bx, by, cx, cy float64) tensor {
	x1, y1, x2, y2 := pb.X-pa.X, pb.Y-pa.Y, pc.X-pa.X, pc.Y-pa.Y
	return tensor{
		float64(x1*bx) + float64(x2*cx), float64(x1*by) + float64(x2*cy),
		float64(y1*bx) + float64(y2*cx), float64(y1*by) + float64(y2*cy),
	}
}

// strain returns Green's strain Exx, Eyy and 2 Exy.
func strain(f tensor) (xx, yy, twoxy float64) {
	return float64(0.5 * (float64(f.xx*f.xx) + (float64(f.yx*f.yx) - 1))),
		float64(0.5 * (float64(f.xy*f.xy) + (float64(f.yy*f.yy) - 1))),
		float64(f.xx*f.xy) + float64(f.yx*f.yy)
}

// Masses returns the lumped mass of every node, rho t A0/3 per corner [kg].
func (t *Triangles) Masses() []float64 {
	m := make([]float64, t.nodes)
	for i, e := range t.elements {
		third := t.densityOf(i, e.material) * e.volume / 3
		m[e.a] += third
		m[e.b] += third
		m[e.c] += third
	}
	return m
}

// addDamped is the generic kernel of damped triangles: addForces, and then the
// damping forces of the same blocks at velocities v, which it adds to d.
func addDamped(blocks []block, f, d, x, v []r2.Vec, low int32, c *constants) int {
	done := addForces(blocks, f, x, low, c)
	addDamping(blocks[:done], d, x, v, low, c)
	return done
}

// addDamping adds the viscous forces of stiffness-proportional damping
// (Kelvin-Voigt), S_v = beta C : dE/dt, at positions x and velocities v to d,
// where d[n-low] is the force on node n. A rigid motion causes no force.
func addDamping(blocks []block, d, x, v []r2.Vec, low int32, c *constants) {
	c11, c12, shear, beta := c.c11[0], c.c12[0], c.shear[0], c.beta[0]
	for i := range blocks {
		e := &blocks[i]
		for l := range lanes {
			bx, by, cx, cy := e.bx[l], e.by[l], e.cx[l], e.cy[l]
			g := gradient(&x[e.a[l]/stride], &x[e.b[l]/stride], &x[e.c[l]/stride], bx, by, cx, cy)
			r := gradient(&v[e.a[l]/stride], &v[e.b[l]/stride], &v[e.c[l]/stride], bx, by, cx, cy)
			exx := float64(g.xx*r.xx) + float64(g.yx*r.yx)
			eyy := float64(g.xy*r.xy) + float64(g.yy*r.yy)
			exy := (float64(g.xx*r.xy) + float64(g.yx*r.yy)) + (float64(r.xx*g.xy) + float64(r.yx*g.yy))
			w := beta * e.volume[l]
			sxx := w * (float64(c11*exx) + float64(c12*eyy))
			syy := w * (float64(c12*exx) + float64(c11*eyy))
			sxy := w * (shear * exy)
			pxx, pxy := float64(g.xx*sxx)+float64(g.xy*sxy), float64(g.xx*sxy)+float64(g.xy*syy)
			pyx, pyy := float64(g.yx*sxx)+float64(g.yy*sxy), float64(g.yx*sxy)+float64(g.yy*syy)
			gbx, gby := float64(pxx*bx)+float64(pxy*by), float64(pyx*bx)+float64(pyy*by)
			gcx, gcy := float64(pxx*cx)+float64(pxy*cy), float64(pyx*cx)+float64(pyy*cy)
			da, db, dc := &d[e.a[l]/stride-low], &d[e.b[l]/stride-low], &d[e.c[l]/stride-low]
			da.X += gbx + gcx
			da.Y += gby + gcy
			db.X -= gbx
			db.Y -= gby
			dc.X -= gcx
			dc.Y -= gcy
		}
	}
}

// PushOnCorner returns the force of a pressure in a triangle on one of its corners [N]. half is half the
// pressure times the thickness [N/m]; b and c are the next two corners, anticlockwise.
func PushOnCorner(half float64, b, c r2.Vec) r2.Vec {
	return r2.Vec{X: float64(half * (b.Y - c.Y)), Y: float64(half * (c.X - b.X))}
}
