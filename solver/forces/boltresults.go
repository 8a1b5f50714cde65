package forces

import (
	"math"

	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// ofBolts lists the columns of bolts in the history, of one bolt.
var ofBolts = []struct {
	of    *quantity.Quantity
	value func(k *Bolts, i int) float64
}{
	{quantity.Must(quantity.Bolt, "axial_force"), (*Bolts).greatestForce},
	{quantity.Must(quantity.Bolt, "head_force"), func(k *Bolts, i int) float64 { return k.each(i, k.chains[i].Force[0]) }},
	{quantity.Must(quantity.Bolt, "shear_force"), (*Bolts).greatestShear},
	{quantity.Must(quantity.Bolt, "bond_force"), func(k *Bolts, i int) float64 { return k.each(i, greatest(k.chains[i].Grip)) }},
	{quantity.Must(quantity.Bolt, "bond_slip"), func(k *Bolts, i int) float64 { return greatest(k.chains[i].Now) }},
	{quantity.Must(quantity.Bolt, "bond_yielded"), func(k *Bolts, i int) float64 { return k.chains[i].Yielded() }},
	{quantity.Must(quantity.Bolt, "bar_strain"), func(k *Bolts, i int) float64 { return greatest(k.chains[i].Worked) }},
	{quantity.Must(quantity.Bolt, "ruptured"), func(k *Bolts, i int) (n float64) {
		for _, b := range k.chains[i].Broken {
			n += b
		}
		return n
	}},
}

// greatest returns the value with the greatest size.
func greatest(of []float64) (most float64) {
	for _, v := range of {
		if math.Abs(v) > math.Abs(most) {
			most = v
		}
	}
	return most
}

// each returns the force on one of the bolts in the thickness from that on all.
func (k *Bolts) each(i int, force float64) float64 {
	if !k.state.Begun[i] {
		return 0
	}
	return k.state.Now[i] * force / k.list[i].Each
}

func (k *Bolts) greatestForce(i int) float64 { return k.each(i, greatest(k.chains[i].Force)) }

// Columns calls the function with the columns of bolts.
func (k *Bolts) Columns(each func(c quantity.Column, v float64)) {
	for i := range k.chains {
		for _, q := range ofBolts {
			each(quantity.Column{Quantity: q.of, Owner: k.list[i].Name}, q.value(k, i))
		}
	}
}

// BoltSegment is a piece of a bolt between two of its points.
type BoltSegment struct {
	Of         int       // index of the Bolt
	Start, Now [2]r2.Vec // positions of its ends [m]
	Along      [2]float64
	Force      float64    // axial force in one bolt, tension is positive [N]
	Shear      float64    // greatest force across it at a joint or crack, in one bolt [N]
	Strain     float64    // plastic strain so far
	Broken     float64    // 1 if it has broken
	Grip       [2]float64 // force per length between bar and rock, in one bolt [N/m]
	Slip       [2]float64 // of the bar in the rock, towards the far end [m]
	Installed  bool       // it is there
}

// EachSegment calls the function with every segment of every bolt.
func (k *Bolts) EachSegment(do func(s *BoltSegment)) {
	for i, c := range k.chains {
		p, from := &k.list[i], k.first[i]
		there := k.Time >= p.From && p.Remaining(k.Time) > 0
		if !k.state.Begun[i] {
			k.place(i)
		}
		for j, n := range c.Force {
			s := BoltSegment{Of: i, Force: k.each(i, n), Shear: k.shearOf(i, j), Strain: c.Worked[j], Broken: c.Broken[j], Installed: there}
			for e := range 2 {
				s.Start[e], s.Now[e], s.Along[e] = p.Points[j+e].At, k.position[from+j+e], p.Along[j+e]
				s.Grip[e], s.Slip[e] = k.each(i, c.Grip[j+e]), c.Now[j+e]
			}
			do(&s)
		}
	}
}

// Staged tells whether some bolt comes or goes during the run.
func (k *Bolts) Staged() bool {
	return k.state.Staged()
}

// Segments returns the number of segments of all bolts.
func (k *Bolts) Segments() int { return len(k.normal) }
