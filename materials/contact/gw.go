package contact

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"fdem/materials/contact/rough"
)

// GreenwoodWilliamson is the force between two rough spheres: in the classic
// form (gw), extended to spheres that overlap (e-gw), and with asperities that
// yield (ep-gw). T. Zhao, Y. T. Feng, J. Appl. Mech. 85(10), 2018. Package
// rough solves the equations, and the law is a table of its solutions.
//
// Contact begins where the highest asperities touch, three deviations sigma
// before the mean plane: D is delta + 3 sigma, with the paper's approach delta.
// There the paper's force jumps from zero to F(-3 sigma), about 1e-5 of the
// force at delta = 10 sigma. Here the force starts as (D/d1)^2 F(d1). d1 is
// near 0.6 sigma, where value and slope are those of the paper. Below d1 the
// force differs from the paper's by up to 1.25 F(-3 sigma). Between d1 and
// delta = 0.05 R the force increases, with a relative error below 1e-6. Its
// slope is continuous, with a relative error below 1e-3. Beyond 0.05 R spheres
// are no longer half spaces, and the force continues as k (D - s)^(3/2) with
// the last value and slope.
//
// The paper gives loading only. Unloading follows the same curve, also with
// asperities that yield: no energy is lost, and W is the whole work.
type GreenwoodWilliamson struct {
	rough.Spheres
	table           *roughTable
	force, modulus  float64 // E R^2 [N], E R [N/m]
	energy, perUnit float64 // E R^3 [J], 1/R [1/m]
}

func init() {
	elastic := []Parameter{
		positive("radius", "R, 1/R = 1/R1 + 1/R2", "m"),
		positive("modulus", "E*, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2", "Pa"),
		positive("sigma", "standard deviation of the asperity heights of both, 1e-6 to 1e-2 of the radius", "m"),
		{Name: "mu", Doc: "8/3 N sigma sqrt(2 R beta), with N asperities of radius beta per area", Unit: "1", Min: rough.MinMu, Max: rough.MaxMu},
	}
	plastic := append(elastic[:len(elastic):len(elastic)],
		Parameter{Name: "psi", Doc: "plasticity index sqrt(sigma/delta_ep), with delta_ep the deflection at which an asperity yields", Unit: "1", OpenMin: true, Max: rough.MaxPsi},
		Parameter{Name: "hardness_ratio", Doc: "K, ratio of the mean pressure at which an asperity yields to its hardness", Unit: "1", Min: rough.MinK, Max: 1},
	)
	const coupled = "w = 4/(pi E) integral of t/(r+t) p K(k) dt\n"
	for _, m := range []Model{
		{
			Name:       "gw",
			Title:      "rough spheres, Greenwood and Williamson",
			Source:     "T. Zhao, Y. T. Feng, J. Appl. Mech. 85(10), 2018, eqs. (3) to (12)",
			Formula:    "F = integral of 2 pi r p, p = C integral of (z - s)^1.5 phi(z) dz, s = w + r^2/2R - delta\n" + coupled + "d = delta + 3 sigma",
			Parameters: elastic,
		}, {
			Name:       "e-gw",
			Title:      "rough spheres that overlap, asperities on top of Hertz",
			Source:     "T. Zhao, Y. T. Feng, J. Appl. Mech. 85(10), 2018, eqs. (28) to (35)",
			Formula:    "F = 4/3 E sqrt(R) delta^1.5 + integral of 2 pi r p, p = C integral of (z - s)^1.5 phi(z) dz, s = w + w_H + r^2/2R - delta\n" + coupled + "d = delta + 3 sigma",
			Parameters: elastic,
		}, {
			Name:       "ep-gw",
			Title:      "rough spheres that overlap, asperities yield; loading only, retraced on unloading",
			Source:     "T. Zhao, Y. T. Feng, J. Appl. Mech. 85(10), 2018, eqs. (36) to (47)",
			Formula:    "F = 4/3 E sqrt(R) delta^1.5 + integral of 2 pi r p, p = N integral of f(z - s) phi(z) dz, f elastic, elastoplastic, plastic, s = w + w_H + r^2/2R - delta\n" + coupled + "d = delta + 3 sigma",
			Parameters: plastic,
		},
	} {
		extended := m.Name != "gw"
		m.Kind = Point
		m.New = func(v map[string]float64) (Law, error) {
			return NewGreenwoodWilliamson(rough.Spheres{
				Radius: v["radius"], Modulus: v["modulus"], Sigma: v["sigma"], Mu: v["mu"],
				Extended: extended, Psi: v["psi"], K: v["hardness_ratio"],
			})
		}
		Register(m)
	}
}

// NewGreenwoodWilliamson returns the law. It solves between one and three
// hundred contacts, which takes a second or two, unless spheres of the same
// proportions have been solved before. It fails if a parameter is out of the
// range of package rough, or if a contact does not converge.
func NewGreenwoodWilliamson(s rough.Spheres) (*GreenwoodWilliamson, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	unit := s
	unit.Radius, unit.Modulus, unit.Sigma = 1, 1, s.Sigma/s.Radius
	table, err := roughTables.get(unit)
	if err != nil {
		return nil, err
	}
	return &GreenwoodWilliamson{
		Spheres: s, table: table, perUnit: 1 / s.Radius,
		force: s.Modulus * s.Radius * s.Radius, modulus: s.Modulus * s.Radius,
		energy: s.Modulus * s.Radius * s.Radius * s.Radius,
	}, nil
}

// Memory returns nil.
func (*GreenwoodWilliamson) Memory() []string { return nil }

// Eval implements Law.
func (g *GreenwoodWilliamson) Eval(in Input, out Output) {
	for i, d := range in.D {
		f, df, w := g.table.at(float64(d * g.perUnit))
		out.P[i], out.W[i] = float64(f*g.force), float64(w*g.energy)
		out.DP[i] = float64(df * g.modulus)
		out.K[i] = out.DP[i]
	}
}

// roughTable is the force of spheres of unit radius and modulus over the
// deflection: a cubic between knots, plus Hertz's force beyond delta = 0 if the
// model has that as a separate term.
type roughTable struct {
	knots  []roughKnot
	smooth float64 // deflection at which Hertz's force is added, +Inf for none

	// Beyond the last knot the force is stiff (d - start)^(3/2), and the work
	// is lift plus its integral.
	stiff, start, lift float64
}

// roughKnot is a deflection with its force, slope and work. The cubic up to the
// next knot is f + df h + c2 h^2 + c3 h^3.
type roughKnot struct{ d, f, df, w, c2, c3 float64 }

// at returns the force, slope and work at a deflection d.
func (t *roughTable) at(d float64) (f, df, w float64) {
	if !(d > 0) {
		return 0, 0, 0
	}
	if d < t.knots[len(t.knots)-1].d {
		return t.inside(d)
	}
	y := d - t.start
	root := math.Sqrt(y)
	f = float64(t.stiff * y * root)
	return f, float64(1.5 * t.stiff * root), t.lift + float64(0.4*f*y)
}

// inside is at for deflections between the first and the last knot, both
// included.
func (t *roughTable) inside(d float64) (f, df, w float64) {
	low, high := 0, len(t.knots)-1 // d lies between them
	for high-low > 1 {
		if mid := int(uint(low+high) / 2); t.knots[mid].d <= d {
			low = mid
		} else {
			high = mid
		}
	}
	f, df, w = t.knots[low].at(d)
	if y := d - t.smooth; y > 0 {
		root := math.Sqrt(y)
		p := float64(4. / 3 * y * root)
		f, df, w = f+p, df+float64(2*root), w+float64(0.4*p*y)
	}
	return f, df, w
}

// cubic sets the coefficients of the cubic from k to next.
func (k *roughKnot) cubic(next roughKnot) {
	h := next.d - k.d
	chord := (next.f - k.f) / h
	k.c2 = (float64(3*chord) - float64(2*k.df) - next.df) / h
	k.c3 = (k.df + next.df - float64(2*chord)) / h / h
}

// at returns force, slope and work of the cubic at deflection d.
func (k *roughKnot) at(d float64) (f, df, w float64) {
	h := d - k.d
	f = k.f + float64(h*(k.df+float64(h*(k.c2+float64(h*k.c3)))))
	df = k.df + float64(h*(float64(2*k.c2)+float64(3*h*k.c3)))
	w = k.w + float64(h*(k.f+float64(h*(float64(0.5*k.df)+float64(h*(k.c2/3+float64(0.25*h*k.c3)))))))
	return f, df, w
}

// roughTables keeps the tables made so far, since decks often have the same
// spheres in many contacts.
var roughTables roughCache

type roughCache struct {
	sync.Mutex
	made map[rough.Spheres]*roughTable
}

func (c *roughCache) get(s rough.Spheres) (*roughTable, error) {
	c.Lock()
	defer c.Unlock()
	if t, ok := c.made[s]; ok {
		return t, nil
	}
	t, err := newRoughTable(s)
	if err != nil {
		return nil, err
	}
	c.keep(s, t)
	return t, nil
}

func (c *roughCache) keep(s rough.Spheres, t *roughTable) {
	if c.made == nil {
		c.made = make(map[rough.Spheres]*roughTable)
	}
	c.made[s] = t
}

// RoughTableVersion changes when the equations of a RoughTable change.
const RoughTableVersion = 2

// RoughTable is a roughTable as plain numbers, to be kept in a file.
type RoughTable struct {
	Spheres rough.Spheres
	Knots   [][6]float64 // deflection, force, slope, work, two coefficients
	Stiff   float64
	Start   float64
	Lift    float64
}

// RoughTables returns the tables made or kept since the program's start, in no
// particular order.
func RoughTables() []RoughTable {
	roughTables.Lock()
	defer roughTables.Unlock()
	var out []RoughTable
	for s, t := range roughTables.made {
		r := RoughTable{Spheres: s, Stiff: t.stiff, Start: t.start, Lift: t.lift}
		for _, k := range t.knots {
			r.Knots = append(r.Knots, [6]float64{k.d, k.f, k.df, k.w, k.c2, k.c3})
		}
		out = append(out, r)
	}
	return out
}

// KeepRoughTable keeps a table that RoughTables has returned, in this process or
// in another one of the same RoughTableVersion.
func KeepRoughTable(r RoughTable) {
	t := &roughTable{smooth: math.Inf(1), stiff: r.Stiff, start: r.Start, lift: r.Lift}
	if r.Spheres.Extended {
		t.smooth = -float64(rough.FirstContact * r.Spheres.Sigma)
	}
	for _, k := range r.Knots {
		t.knots = append(t.knots, roughKnot{k[0], k[1], k[2], k[3], k[4], k[5]})
	}
	roughTables.Lock()
	defer roughTables.Unlock()
	roughTables.keep(r.Spheres, t)
}

// newRoughTable makes a table. It halves the intervals between solved contacts
// until the cubic interpolation agrees with each new contact, in value and
// slope.
func newRoughTable(s rough.Spheres) (*roughTable, error) {
	firstContact := float64(rough.FirstContact * s.Sigma)
	t := &roughTable{smooth: math.Inf(1)}
	if s.Extended {
		t.smooth = -firstContact
	}
	foot, err := roughFoot(s)
	if err != nil {
		return nil, err
	}
	// Intervals end at the foot, where Hertz's force begins, and at the
	// greatest approach. Beyond 0 the positions of knots grow as squares, since
	// the slopes there are functions of the root of the approach.
	var at []float64
	for k := range 8 {
		at = append(at, float64(foot*float64(8-k)/8))
	}
	for k := range 9 {
		u := float64(k) / 8
		at = append(at, rough.MaxApproach*u*u)
	}
	knots, err := roughSolve(s, at)
	if err != nil {
		return nil, err
	}
	open := make([]bool, len(knots))
	for i := range open {
		open[i] = i < len(knots)-1
	}
	for round := 0; ; round++ {
		at = at[:0]
		for i, yes := range open {
			if yes {
				a, b := knots[i].d, knots[i+1].d
				mid := float64(0.5 * (a + b))
				if a >= 0 {
					mid = 0.5 * (mid + math.Sqrt(a*b))
				}
				at = append(at, mid)
			}
		}
		if len(at) == 0 {
			break
		}
		if round == 30 {
			return nil, fmt.Errorf("the force between rough spheres is not smooth near approach %g m of radius 1 m", at[0])
		}
		mids, err := roughSolve(s, at)
		if err != nil {
			return nil, err
		}
		var finer []roughKnot
		var stillOpen []bool
		for i, k := range knots {
			if !open[i] {
				finer, stillOpen = append(finer, k), append(stillOpen, false)
				continue
			}
			mid := mids[0]
			mids = mids[1:]
			k.cubic(knots[i+1])
			f, df, _ := k.at(mid.d)
			total, stiffness := mid.f, mid.df
			if s.Extended {
				a := math.Sqrt(max(mid.d, 0))
				total += float64(4. / 3 * a * a * a)
				stiffness += float64(2 * a)
			}
			// The halves will be better, in value by 3 to 16 times.
			more := math.Abs(f-mid.f) > 1e-6*total || math.Abs(df-mid.df) > 3e-4*stiffness
			finer, stillOpen = append(finer, k, mid), append(stillOpen, more, more)
		}
		knots, open = finer, stillOpen
	}

	t.knots = append(t.knots, roughKnot{}) // below the foot: (d/d1)^2 F(d1)
	for _, k := range knots {
		k.d -= firstContact
		t.knots = append(t.knots, k)
	}
	t.knots[1].df = 2 * t.knots[1].f / t.knots[1].d
	for i := range t.knots[:len(t.knots)-1] {
		k, next := &t.knots[i], &t.knots[i+1]
		chord := (next.f - k.f) / (next.d - k.d)
		if !(k.df <= 3*chord && next.df <= 3*chord && k.df >= 0 && next.df >= 0) {
			return nil, fmt.Errorf("the force between rough spheres is not monotone near approach %g m of radius 1 m", k.d+firstContact)
		}
		k.cubic(*next)
		_, _, next.w = k.at(next.d)
	}
	last := t.knots[len(t.knots)-1].d
	f, df, w := t.inside(last)
	y := 1.5 * f / df
	t.start = last - y
	t.stiff = f / (y * math.Sqrt(y))
	t.lift = w - float64(0.4*f*y)
	return t, nil
}

// roughFoot returns the approach above -3 sigma at which a force that is
// quadratic in the deflection has the value and slope of the law.
func roughFoot(s rough.Spheres) (float64, error) {
	firstContact := float64(rough.FirstContact * s.Sigma)
	low, high := float64(0.1*s.Sigma), float64(2*s.Sigma) // at low the slope is too great for a square
	for range 30 {
		x := float64(0.5 * (low + high))
		c, err := s.Solve(firstContact + x)
		if err != nil {
			return 0, err
		}
		if c.Stiffness*x < 2*c.Force {
			low = x
		} else {
			high = x
		}
		if high-low < 1e-6*s.Sigma {
			break
		}
	}
	return firstContact + float64(0.5*(low+high)), nil
}

// roughSolve solves the contacts at the given approaches in parallel. Knots
// have the force without Hertz's part, if the model has that as a separate
// term.
func roughSolve(s rough.Spheres, at []float64) ([]roughKnot, error) {
	knots := make([]roughKnot, len(at))
	errs := make([]error, len(at))
	var all sync.WaitGroup
	turn := make(chan int)
	for range min(len(at), runtime.GOMAXPROCS(0)) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range turn {
				c, err := s.Solve(at[i])
				if err != nil {
					errs[i] = err
					continue
				}
				k := roughKnot{d: at[i], f: c.Force, df: c.Stiffness}
				if a := math.Sqrt(max(at[i], 0)); s.Extended {
					k.f -= float64(4. / 3 * a * a * a)
					k.df -= float64(2 * a)
				}
				knots[i] = k
			}
		}()
	}
	for i := range at {
		turn <- i
	}
	close(turn)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return knots, nil
}
