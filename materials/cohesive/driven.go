package cohesive

// Driven is one point of a crack under a law, to be moved step by step. Its
// fields are those of the last call of To.
type Driven struct {
	Point         Point
	Opening, Slip float64 // [m]
	Normal, Shear float64 // traction [Pa]
	Stored        float64 // [J/m2]
	Dissipated    float64 // [J/m2]
	FrictionWork  float64 // work of friction since the point opened [J/m2]
	Damage        float64

	law *Law
	mem []float64
}

// Drive opens a point, to be moved by To.
func (l *Law) Drive(s Start) *Driven {
	d := &Driven{law: l, mem: make([]float64, Memories)}
	d.Point = l.Open(s, d.mem)
	return d
}

// To moves the faces to an opening and a slip [m].
func (d *Driven) To(opening, slip float64) {
	var o, s, normal, shear, stored, dissipated, frictionWork, damage [1]float64
	o[0], s[0] = opening, slip
	d.law.Eval(Input{Points: []Point{d.Point}, Opening: o[:], Slip: s[:], Mem: d.mem}, Output{
		Normal: normal[:], Shear: shear[:], Stored: stored[:], Dissipated: dissipated[:], FrictionWork: frictionWork[:], Damage: damage[:], Mem: d.mem,
	})
	d.Opening, d.Slip, d.Normal, d.Shear = opening, slip, normal[0], shear[0]
	d.Stored, d.Dissipated, d.Damage = stored[0], dissipated[0], damage[0]
	d.FrictionWork += frictionWork[0]
}
