package diffusion

import (
	"math"
	"slices"

	models "fdem/solver/model"
)

// Conductivities and heat capacities that depend on the temperature. A node has the heat (enthalpy)
//
//	H(theta) = C theta + sum over materials V integral of (c - least c),
//
// and between two nodes flows the difference of Kirchhoff's potential, the integral of the conductivity:
//
//	q = g (theta_b - theta_a) + sum over materials G integral from theta_a to theta_b of (k - least k),
//
// with the geometry G of the link, of unit conductivity. So a steady state is that of the transformed problem
// (Carslaw and Jaeger, 1959, 1.6), what one node loses another gains, and what a node gains is what its temperature shows.
type varying struct {
	reference float64 // temperature at theta = 0 [K]
	stores    []store // by their nodes
	first     []int32 // per node and one more: its first store
	leads     []lead  // by their nodes
}

// store is the part of a node in a material whose capacity depends on the temperature.
type store struct {
	node   int32
	volume float64 // [m3]
	of     *models.Conduction
}

// lead is a link of a material whose conductivity depends on the temperature.
type lead struct {
	a, b int32
	unit float64 // conductance of unit conductivity [m]
	of   *models.Conduction
}

// newVarying returns nil if no material depends on the temperature in this way.
func newVarying(of []models.Conduction, reference float64) *varying {
	if !slices.ContainsFunc(of, func(c models.Conduction) bool { return c.Conductivity != nil || c.Capacities != nil }) {
		return nil
	}
	return &varying{reference: reference}
}

// clear removes all, for a number of nodes.
func (k *varying) clear(nodes int) {
	if k != nil {
		k.stores, k.leads, k.first = k.stores[:0], k.leads[:0], make([]int32, nodes+1)
	}
}

func (k *varying) store(n int32, volume float64, of *models.Conduction) {
	k.stores = append(k.stores, store{n, volume, of})
}

func (k *varying) lead(a, b int32, unit float64, of *models.Conduction) {
	k.leads = append(k.leads, lead{min(a, b), max(a, b), unit, of})
}

// sortStores makes one store of those of a node and a material, in the order of nodes.
func (k *varying) sortStores() {
	if k == nil {
		return
	}
	slices.SortStableFunc(k.stores, func(p, q store) int { return int(p.node) - int(q.node) })
	out := k.stores[:0]
	for _, s := range k.stores {
		i := len(out) - 1
		for i >= 0 && out[i].node == s.node && out[i].of != s.of {
			i--
		}
		if i >= 0 && out[i].node == s.node {
			out[i].volume += s.volume
			continue
		}
		out = append(out, s)
	}
	k.stores = out
	for _, s := range out {
		k.first[s.node+1]++
	}
	for n := 1; n < len(k.first); n++ {
		k.first[n] += k.first[n-1]
	}
}

// sortLeads makes one lead of those between the same nodes in a material, in the order of nodes.
func (k *varying) sortLeads() {
	if k == nil {
		return
	}
	slices.SortStableFunc(k.leads, func(p, q lead) int {
		if p.a != q.a {
			return int(p.a) - int(q.a)
		}
		return int(p.b) - int(q.b)
	})
	out := k.leads[:0]
	for _, l := range k.leads {
		i := len(out) - 1
		for i >= 0 && out[i].a == l.a && out[i].b == l.b && out[i].of != l.of {
			i--
		}
		if i >= 0 && out[i].a == l.a && out[i].b == l.b {
			out[i].unit += l.unit
			continue
		}
		out = append(out, l)
	}
	k.leads = out
}

// more returns the integral between two temperatures of what a curve has above its least value.
func (k *varying) more(c *models.Curve, least, from, to float64) float64 {
	if from == to {
		return 0
	}
	return c.Integral(k.reference+from, k.reference+to) - float64(least*(to-from))
}

// push returns what flows from b to a in a lead [W].
func (k *varying) push(l *lead, theta []float64) float64 {
	return float64(l.unit * k.more(l.of.Conductivity, l.of.XX, theta[l.a], theta[l.b]))
}

// flow adds to heat what flows along the leads in a time dt.
func (k *varying) flow(theta, heat []float64, dt float64) {
	if k == nil {
		return
	}
	for i := range k.leads {
		l := &k.leads[i]
		q := float64(dt * k.push(l, theta))
		heat[l.a] += q
		heat[l.b] -= q
	}
}

// addFastest adds the greatest conductances of the leads to sums of nodes, as network.fastest does.
func (k *varying) addFastest(sum []float64) {
	if k == nil {
		return
	}
	for i := range k.leads {
		l := &k.leads[i]
		_, most := l.of.Conductivity.Extremes()
		g := float64((most - l.of.XX) * (l.unit + math.Abs(l.unit)))
		sum[l.a] += g
		sum[l.b] += g
	}
}
