package forces

import (
	"math"

	"fdem/materials/elementary"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// addLine adds the load at X times a factor to the forces [N] and moments [N m] on the
// load's nodes, two for each element.
//
// A force per length w does the work P = w.(xa + xb) L/2 + w.n l L/12 (a - b). l is the
// length of the chord, n its normal, and a and b are the rotations of the ends relative to
// it. The nodes get the gradient of P.
func (l *Load) addLine(k *Loads, time, factor float64, force []r2.Vec, moment []float64) error {
	if l.ByPosition != nil {
		return l.addVarying(k, time, factor, force, moment)
	}
	w := r2.Scale(factor, l.Line.Force)
	p := factor * l.Pressure
	for i, e := range l.Line.Elements {
		n, slot := k.Mesh.Beams[e], l.slot[i]
		a, b := k.X[n[0]], k.X[n[1]]
		dx, dy := b.X-a.X, b.Y-a.Y
		fa, fb := &force[slot[0]], &force[slot[1]]
		if l.Line.Side != nil {
			q := p * l.Line.Side[i]
			fx, fy := float64(0.5*q*dy), float64(0.5*q*dx)
			fa.X += fx
			fa.Y -= fy
			fb.X += fx
			fb.Y -= fy
			turn := float64(q * (float64(dx*dx) + float64(dy*dy)) / 12)
			moment[slot[0]] -= turn
			moment[slot[1]] += turn
			continue
		}
		length := l.Length[i]
		half, part := 0.5*length, length/12
		tilt := part * (k.Theta[n[0]] - k.Theta[n[1]])
		fa.X += float64(half*w.X) - float64(tilt*w.Y)
		fa.Y += float64(half*w.Y) + float64(tilt*w.X)
		fb.X += float64(half*w.X) + float64(tilt*w.Y)
		fb.Y += float64(half*w.Y) - float64(tilt*w.X)
		turn := float64(part * (float64(w.Y*dx) - float64(w.X*dy)))
		moment[slot[0]] += turn
		moment[slot[1]] -= turn
	}
	return nil
}

// addVarying is addLine for a load that varies linearly along each element: u and v are its
// factors at the two ends. Across an element of length l its forces do the work of
// Hermite's cubics: forces (7u + 3v) l/20 and (3u + 7v) l/20, moments (3u + 2v) l^2/60 and
// -(2u + 3v) l^2/60. Let W be the integrals of the load with the linear
// functions, and A those with the cubic ones. A force per length w that keeps its direction
// does the work L (Wa.xa + Wb.xb + l n.(A a + B b)), where a and b are the rotations of the
// ends relative to the chord. The nodes get its gradient.
func (l *Load) addVarying(k *Loads, time, factor float64, force []r2.Vec, moment []float64) error {
	w := r2.Scale(factor, l.Line.Force)
	p := factor * l.Pressure
	for i, e := range l.Line.Elements {
		n, slot := k.Mesh.Beams[e], l.slot[i]
		u, v, err := l.along(k, time, i)
		if err != nil {
			return err
		}
		d := r2.Sub(k.X[n[1]], k.X[n[0]])
		fa, fb := &force[slot[0]], &force[slot[1]]
		one, other := (float64(3*u)+float64(2*v))/60, (float64(2*u)+float64(3*v))/60
		if l.Line.Side != nil {
			q := p * l.Line.Side[i]
			across := r2.Vec{X: float64(q * d.Y), Y: -float64(q * d.X)}
			left, right := (float64(7*u)+float64(3*v))/20, (float64(3*u)+float64(7*v))/20
			*fa, *fb = elementary.Along(*fa, across, left), elementary.Along(*fb, across, right)
			turn := q * elementary.Dot(d, d)
			moment[slot[0]] -= float64(turn * one)
			moment[slot[1]] += float64(turn * other)
			continue
		}
		length := l.Length[i]
		chord := r2.Sub(k.Mesh.X[n[1]], k.Mesh.X[n[0]])
		mean := float64(0.5 * (k.Theta[n[0]] + k.Theta[n[1]]))
		phi := elementary.Atan2(elementary.Cross(chord, d), elementary.Dot(chord, d))
		phi += float64(2 * math.Pi * math.Round((mean-phi)/(2*math.Pi)))
		tilt := float64(length * (float64(one*(k.Theta[n[0]]-phi)) - float64(other*(k.Theta[n[1]]-phi))))
		across := r2.Vec{X: -d.Y, Y: d.X} // l n
		swing := float64(length*(one-other)) * elementary.Dot(across, w) / elementary.Dot(d, d)
		left, right := length*(float64(2*u)+v)/6, length*(u+float64(2*v))/6
		fa.X += float64(left*w.X) - float64(tilt*w.Y) + float64(swing*across.X)
		fa.Y += float64(left*w.Y) + float64(tilt*w.X) + float64(swing*across.Y)
		fb.X += float64(right*w.X) + float64(tilt*w.Y) - float64(swing*across.X)
		fb.Y += float64(right*w.Y) - float64(tilt*w.X) - float64(swing*across.Y)
		turn := length * elementary.Dot(across, w)
		moment[slot[0]] += float64(turn * one)
		moment[slot[1]] -= float64(turn * other)
	}
	return nil
}

// prepareLine finds the indices of the elements' nodes, and the elements' lengths at the
// start.
func (l *Load) prepareLine(m *models.Model, at func(n int32) int32) {
	for _, e := range l.Line.Elements {
		n := m.Mesh.Beams[e]
		l.slot = append(l.slot, [2]int32{at(n[0]), at(n[1])})
		l.points = append(l.points, gaussPoints(m.Mesh.X[n[0]], m.Mesh.X[n[1]]))
		l.Length = append(l.Length, elementary.Norm(r2.Sub(m.Mesh.X[n[1]], m.Mesh.X[n[0]])))
	}
}
