package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// yielding is a curved strength: t_1 - t_3 = S (s - m t_1/S)^a, up to the tension.
type yielding struct {
	m, s, a, intact, tension float64
	from, power              float64 // below that base the power goes on as its tangent; from^(a-1)
}

// strength returns S b^a and its slope by -t_1, b = s - m t_1/S. Beyond the end of the criterion in
// tension it goes on along its tangent near the end.
func (y *yielding) strength(t1 float64) (h, slope float64) {
	b := y.s - float64(y.m*t1)/y.intact
	base, power := y.from, y.power
	if b > y.from {
		base, power = b, elementary.Pow(b, y.a-1)
	}
	slope = float64(y.a * y.m * power)
	return float64(y.intact * (float64(power*base) + float64(y.a*power*(b-base)))), slope
}

// curvedFace is one face: between the stresses of two directions, or with no second direction (-1)
// the cut-off of the first.
type curvedFace struct{ i, k int8 }

// value returns how far a stress is beyond the face [Pa], and the slope of the strength.
func (f curvedFace) value(t *[3]float64, y *yielding) (beyond, slope float64) {
	if f.k < 0 {
		return t[f.i] - y.tension, 0
	}
	h, slope := y.strength(t[f.i])
	return t[f.i] - t[f.k] - h, slope
}

// flow returns the direction of plastic strain. The dilation is at most the friction angle of the
// strength's tangent at the trial, since otherwise shear would create energy.
func (f curvedFace) flow(trial *[3]float64, y *yielding, sinFlow float64) (m [3]float64) {
	if f.k < 0 {
		m[f.i] = 1
		return m
	}
	if sinFlow > 0 {
		_, slope := y.strength(trial[f.i])
		sinFlow = min(sinFlow, slope/(2+slope))
	}
	m[f.i], m[f.k] = 1+sinFlow, -(1 - sinFlow)
	return m
}

// curved is a yield surface of curved faces in principal stresses, greatest first; in plane stress
// the third is zero, and may be the greatest.
type curved struct {
	stiffness [3][3]float64
	faces     []curvedFace
	sets      [][]int8 // faces that may be reached together, in the order in which they are tried
}

func newCurved(d [3][3]float64, plane Plane) curved {
	c := curved{stiffness: d, faces: []curvedFace{{0, 2}, {0, 1}, {1, 2}}}
	most := 3
	if plane == PlaneStress {
		c.faces = append(c.faces, curvedFace{2, 1}, curvedFace{2, 0}, curvedFace{0, -1}, curvedFace{1, -1})
		most = 2
	} else {
		c.faces = append(c.faces, curvedFace{0, -1}, curvedFace{1, -1}, curvedFace{2, -1})
	}
	var add func(set []int8, from int8, count int)
	add = func(set []int8, from int8, count int) {
		if count == 0 {
			c.sets = append(c.sets, append([]int8{}, set...))
			return
		}
		for j := from; int(j) < len(c.faces); j++ {
			add(append(set, j), j+1, count-1)
		}
	}
	for count := 1; count <= most; count++ {
		add(nil, 0, count)
	}
	return c
}

// curvedReturn is a stress on a curved surface, or within it.
type curvedReturn struct {
	t             [3]float64
	flows         bool
	across, opens float64 // plastic strain of the third direction; sum of the greatest principal plastic strains
}

// back returns the stress on the surface, or within it, for sorted trial stresses.
func (c *curved) back(trial [3]float64, y *yielding, sinFlow float64) curvedReturn {
	over := false
	for _, f := range c.faces {
		beyond, _ := f.value(&trial, y)
		over = over || beyond > 0
	}
	if !over {
		return curvedReturn{t: trial}
	}
	size := math.Abs(trial[0]) + math.Abs(trial[1]) + math.Abs(trial[2])
	for _, set := range c.sets {
		if r, ok := c.onSet(set, &trial, y, sinFlow, size); ok {
			return r
		}
	}
	r := curvedReturn{flows: true}
	if c.stiffness[2][2] != 0 { // the end in tension, without shear
		mean := min(y.tension, (trial[0]+trial[1]+trial[2])/3)
		r.t = [3]float64{mean, mean, mean}
	}
	return r
}

// onSet returns the stress on all faces of a set, and tells whether it is one on the surface.
func (c *curved) onSet(set []int8, trial *[3]float64, y *yielding, sinFlow, size float64) (r curvedReturn, ok bool) {
	n := len(set)
	var m, dm [3][3]float64 // flow of each face, and the stress that it takes
	for k, j := range set {
		m[k] = c.faces[j].flow(trial, y, sinFlow)
		dm[k] = stresses(&c.stiffness, &m[k])
	}
	var g [3]float64
	r = curvedReturn{t: *trial, flows: true}
	last := math.Inf(1)
	for pass := 0; ; pass++ {
		var jacobian [3][3]float64
		var beyond [3]float64
		for k, j := range set {
			f := c.faces[j]
			value, slope := f.value(&r.t, y)
			beyond[k] = value
			for q := range n {
				jacobian[k][q] = float64((1 + slope) * dm[q][f.i])
				if f.k >= 0 {
					jacobian[k][q] -= dm[q][f.k]
				}
			}
		}
		inverse, regular := inverseOf3(&jacobian, n, 1e-14)
		if !regular || pass == 80 {
			return r, false
		}
		most := 0.0
		r.t = *trial
		for k := range n {
			change := dot3(&inverse[k], &beyond)
			g[k] += change
			for d := range r.t {
				r.t[d] -= float64(g[k] * dm[k][d])
				most = max(most, math.Abs(change*dm[k][d]))
			}
		}
		if most <= float64(1e-15*size) || most >= last && most <= float64(1e-10*size) { // to rounding
			break
		}
		last = most
	}
	for k := range n {
		if !(g[k] >= 0) {
			return r, false
		}
		r.across += float64(g[k] * m[k][2])
		r.opens += float64(g[k] * max(m[k][0], m[k][1], m[k][2]))
	}
	for _, f := range c.faces {
		if beyond, slope := f.value(&r.t, y); beyond > float64(onSurface*size*(1+slope)) {
			return r, false
		}
	}
	return r, true
}

// chords has chords of b^a, four in an octave: as the power is concave, they are below it.
type chords [4 * 64][2]float64

// The first octave of the chords, 2^-48, as the leading bits of its number.
const firstChord = (1023 - 48) << 2

func newChords(a float64) (c chords) {
	for i := range c {
		from := math.Float64frombits(uint64(firstChord+i) << 50)
		to := math.Float64frombits(uint64(firstChord+i+1) << 50)
		low, high := elementary.Pow(from, a), elementary.Pow(to, a)
		slope := (high - low) / (to - from)
		c[i] = [2]float64{low - float64(slope*from), slope}
	}
	return c
}

// below returns a number that is at most b^a by rounding, and near it.
func (c *chords) below(b float64) float64 {
	i := int(math.Float64bits(b)>>50) - firstChord
	if !(b > 0) || i < 0 || i >= len(c) {
		return 0
	}
	return (c[i][0] + float64(c[i][1]*b)) * (1 - 1e-12)
}
