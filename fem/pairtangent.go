package fem

import (
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// half is one triangle of a pair for its tangent.
type half struct {
	volume, det float64
	c           bulk.Tangent
	gx, gy      [4]float64 // current gradients at the pair's four nodes, 0 for the node that the triangle does not have
	mean        float64    // half the trace of the law's stress in the plane [Pa]
}

// change is the relative change of a deformation gradient by a degree of freedom: l = dF F^-1.
type change struct{ xx, xy, yx, yy float64 }

func (l change) trace() float64 { return l.xx + l.yy }

// along returns l of a triangle for degree of freedom p of the pair.
func (h *half) along(p int) change {
	if p%2 == 0 {
		return change{xx: h.gx[p/2], xy: h.gy[p/2]}
	}
	return change{yx: h.gx[p/2], yy: h.gy[p/2]}
}

// corners returns the four nodes of the pair that begins with triangle i: those of the first
// triangle, then the other node of the second.
func (t *Triangles) corners(i int) (n [4]int32) {
	a, b := t.element(i), t.element(i+1)
	n = [4]int32{a.a, a.b, a.c, b.a}
	for _, k := range [3]int32{b.a, b.b, b.c} {
		if k != a.a && k != a.b && k != a.c {
			n[3] = k
		}
	}
	return n
}

// halves returns both triangles of the pair that begins with triangle i at positions x, and how they
// flow together, nil if their law has no flow of pairs.
func (t *Triangles) halves(i int, x []r2.Vec) (of [2]half, together *bulk.PairTangent) {
	r, w := t.runOf(i), t.lawful.serial
	nodes := t.corners(i)
	var v, det, d [2]float64
	var f [2]tensor
	for k := range of {
		e := t.element(i + k)
		f[k] = t.gradient(&e, x)
		h := &of[k]
		h.volume, h.det = e.volume, float64(f[k].xx*f[k].yy)-float64(f[k].xy*f[k].yx)
		v[k], det[k], d[k] = h.volume, h.det, t.squeezedAt(i+k)
		for a, n := range nodes {
			var bx, by float64
			switch n {
			case e.a:
				bx, by = -(e.bx + e.cx), -(e.by + e.cy)
			case e.b:
				bx, by = e.bx, e.by
			case e.c:
				bx, by = e.cx, e.cy
			}
			h.gx[a] = (float64(f[k].yy*bx) - float64(f[k].yx*by)) / h.det
			h.gy[a] = (float64(f[k].xx*by) - float64(f[k].xy*bx)) / h.det
		}
	}
	s := share(v, det, d)
	if r.sharing != nil {
		for k := range of {
			w.f[0][k], w.f[1][k], w.f[2][k], w.f[3][k] = s[k]*f[k].xx, s[k]*f[k].xy, s[k]*f[k].yx, s[k]*f[k].yy
		}
		w.prepare(t, r, i-int(r.first), 2, false)
		together = r.sharing.PairTangent(&w.in, v)
		for k := range of {
			of[k].c = together.Of[k]
			of[k].mean = float64(0.5 * (of[k].c.TXX + of[k].c.TYY))
		}
		return of, together
	}
	for k := range of {
		w.f[0][0], w.f[1][0], w.f[2][0], w.f[3][0] = s[k]*f[k].xx, s[k]*f[k].xy, s[k]*f[k].yx, s[k]*f[k].yy
		w.prepare(t, r, i+k-int(r.first), 1, false)
		r.law.Tangent(&w.in, 0, &of[k].c)
		of[k].mean = float64(0.5 * (of[k].c.TXX + of[k].c.TYY))
	}
	return of, nil
}

// pairTangent fills k with the tangent stiffness of the pair that begins with triangle i at
// positions x [N/m], rows and columns x and y of its corners: with lb = l + dln(s) 1
//
//	sum V (db : c : db + tau : lb^T lb + 2 m (d2 ln s + dln s dln s) + 2 dln s tau : l)
func (t *Triangles) pairTangent(i int, x []r2.Vec, k *[8][8]float64) {
	of, together := t.halves(i, x)
	n := float64(of[0].volume*of[0].det) + float64(of[1].volume*of[1].det)
	var l [2][8]change
	var common [8]float64 // change of ln Jb
	for p := range 8 {
		for e := range of {
			l[e][p] = of[e].along(p)
			common[p] += float64(of[e].volume*of[e].det*l[e][p].trace()) / n
		}
	}
	for p := range 8 {
		for q := p; q < 8; q++ {
			second := -float64(common[p] * common[q]) // second change of ln Jb
			for e := range of {
				second += float64(of[e].volume*of[e].det*(float64(l[e][p].trace()*l[e][q].trace())-product(l[e][p], l[e][q]))) / n
			}
			sum := 0.0
			var da, db [2][3]float64
			for e := range of {
				h, a, b := &of[e], l[e][p], l[e][q]
				sa, sb := float64(0.5*(common[p]-a.trace())), float64(0.5*(common[q]-b.trace()))
				sum += float64(h.volume * h.bend(a, b, sa, sb, float64(0.5*(second+product(a, b)))))
				da[e], db[e] = a.strain(sa), b.strain(sb)
				if together == nil || together.Elastic {
					sum += float64(h.volume * quadratic(&h.c.C, &da[e], &db[e]))
				}
			}
			if together != nil && !together.Elastic {
				sum += mix(&of, together, &da, &db)
			}
			k[p][q], k[q][p] = sum, sum
		}
	}
}

// product returns tr(a b).
func product(a, b change) float64 {
	return float64(a.xx*b.xx) + float64(a.xy*b.yx) + float64(a.yx*b.xy) + float64(a.yy*b.yy)
}

// strain returns the change of the strain of F s: xx, yy and twice xy. s is the change of ln s.
func (l change) strain(s float64) [3]float64 { return [3]float64{l.xx + s, l.yy + s, l.xy + l.yx} }

// quadratic returns a : c : b.
func quadratic(c *[3][3]float64, a, b *[3]float64) (sum float64) {
	for i := range 3 {
		for j := range 3 {
			sum += float64(a[i] * c[i][j] * b[j])
		}
	}
	return sum
}

// mix returns the part of the second change of energy by the tangents of a pair that flows together,
// for two changes of its strains.
func mix(of *[2]half, c *bulk.PairTangent, da, db *[2][3]float64) (sum float64) {
	volume := of[0].volume + of[1].volume
	var ma, mb [3]float64
	for e := range of {
		for i := range ma {
			ma[i] += float64(of[e].volume * da[e][i] / volume)
			mb[i] += float64(of[e].volume * db[e][i] / volume)
		}
	}
	sum = float64(volume * quadratic(&c.Mean, &ma, &mb))
	for e := range of {
		a, b := da[e], db[e]
		for i := range a {
			a[i], b[i] = a[i]-ma[i], b[i]-mb[i]
		}
		along := func(d *[3]float64) float64 {
			return float64(c.Along[0]*d[0]) + float64(c.Along[1]*d[1]) + float64(c.Along[2]*d[2])
		}
		sum += float64(c.Apart * of[e].volume * (quadratic(&of[e].c.C, &a, &b) - float64(2*c.Shear*along(&a)*along(&b))))
	}
	return sum
}

// bend returns the second change of the energy density for two changes of F, less that by the
// tangent; sa and sb are the changes of ln s, both is its second change.
func (h *half) bend(a, b change, sa, sb, both float64) float64 {
	c := &h.c
	with := func(l change) float64 { // tau : l
		return float64(c.TXX*l.xx) + float64(c.TXY*(l.xy+l.yx)) + float64(c.TYY*l.yy)
	}
	sum := float64(2*h.mean*(both+float64(sa*sb))) + float64(sa*with(b)) + float64(sb*with(a))
	a.xx, a.yy, b.xx, b.yy = a.xx+sa, a.yy+sa, b.xx+sb, b.yy+sb
	row := func(ax, ay, bx, by float64) float64 {
		return float64(ax*(float64(c.TXX*bx)+float64(c.TXY*by))) + float64(ay*(float64(c.TXY*bx)+float64(c.TYY*by)))
	}
	return sum + row(a.xx, a.xy, b.xx, b.xy) + row(a.yx, a.yy, b.yx, b.yy)
}
