package segments

import (
	"cmp"
	"slices"

	"fdem/contactnodes/coulomb"
)

// Friction. All halves of one own edge against one opposite component share one friction: its spring
// goes on as the edge slides from one opposite edge to the next. They carry it in proportion to
// their normal forces. A spring whose contact becomes smaller releases the part that is lost; a
// spring whose contact grows keeps its force.

// group is the halves of an own edge against an opposite component.
type group struct {
	Key
	stick   coulomb.Stick // at the last committed evaluation, then at this one
	slip    float64       // [m/s]
	before  coulomb.Stick // at the last committed evaluation
	wasSlip float64
	normal  float64 // [N]
	slipped float64 // sum of normal forces times slips [W]
	covered float64 // stiffness of the part in contact [N/m]
	eased   float64 // sum of normal forces times the change of the slip speed by a unit of friction
	mobile  float64 // greatest mobility of the opposite edges [1/kg]
}

// Key names a group.
type Key struct{ Edge, Component int32 }

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Edge, o.Edge), cmp.Compare(k.Component, o.Component))
}

// endedGroups is the friction of groups that the list of candidates no longer has.
type endedGroups struct{ power, energy float64 }

// listGroups makes the groups of a new list of pairs. Groups of the old one keep their friction.
func (k *Contact) listGroups() {
	old := k.groups
	k.groups = make([]group, 0, len(old))
	for i := range k.pairs {
		p := &k.pairs[i]
		for own := range p.edge {
			k.groups = append(k.groups, group{Key: k.keyOf(p, own)})
		}
	}
	slices.SortFunc(k.groups, func(a, b group) int { return a.compare(b.Key) })
	k.groups = slices.CompactFunc(k.groups, func(a, b group) bool { return a.Key == b.Key })
	for i := range old {
		g := &old[i]
		if g.stick == (coulomb.Stick{}) {
			continue
		}
		if at, ok := k.find(g.Key); ok {
			k.groups[at].stick, k.groups[at].slip = g.stick, g.slip
		} else {
			k.ended.power += float64(g.stick.Friction * g.slip)
			k.ended.energy += g.stick.Energy()
		}
	}
	for i := range k.pairs {
		p := &k.pairs[i]
		for own := range p.edge {
			at, _ := k.find(k.keyOf(p, own))
			p.group[own] = int32(at)
		}
	}
	k.active = k.active[:0]
	for i := range k.groups {
		if k.groups[i].stick != (coulomb.Stick{}) {
			k.active = append(k.active, int32(i))
		}
	}
}

// clearGroups removes the sums of the last evaluation. Without a commit friction is again what it was
// before.
func (k *Contact) clearGroups() {
	for _, n := range k.touched {
		g := &k.groups[n]
		if !k.settled {
			g.stick, g.slip = g.before, g.wasSlip
		}
		g.normal, g.slipped, g.covered, g.eased, g.mobile = 0, 0, 0, 0, 0
	}
	k.touched, k.settled = k.touched[:0], false
}

func (k *Contact) keyOf(p *pair, own int) Key {
	return Key{p.edge[own], k.Edges[p.edge[1-own]].Component}
}

// find returns the index of a group.
func (k *Contact) find(of Key) (int, bool) {
	return slices.BinarySearchFunc(k.groups, of, func(g group, of Key) int { return g.compare(of) })
}

// rub finds the friction of all groups that touch.
func (k *Contact) rub() {
	f := k.now.friction
	k.sumGroups()
	for _, n := range k.touched {
		g := &k.groups[n]
		g.before, g.wasSlip = g.stick, g.slip
		if g.normal > 0 {
			g.slip = g.slipped / g.normal
		}
		g.stick = coulomb.Stick{}
		if f.Kinetic == 0 && f.Static == 0 {
			continue
		}
		if !f.Sticks() {
			var at coulomb.Speeds
			least := float64(f.Kinetic*(k.load[g.Edge]*k.now.dt)) * (k.Mobility[g.Edge] + g.mobile)
			g.stick.Friction, at = f.Regularised(g.normal, g.slip, least)
			k.Speeds.Raise(at)
			continue
		}
		brake := 0.0
		if eased := float64(k.load[g.Edge]*k.Mobility[g.Edge]*g.normal) + g.eased; f.Brake > 0 && k.now.dt > 0 && eased > 0 {
			brake = -f.Brake * (g.normal * g.normal / eased) * (g.slip / k.now.dt)
		}
		spring := g.covered
		if f.Ratio == 0 { // per area
			spring = f.Stiffness * (g.covered / k.Stiffness)
		} else {
			spring = f.Follow(spring, g.before)
		}
		g.stick = f.Advance(g.before, g.normal, spring, float64(g.slip*k.now.dt), brake)
	}
}

// sumGroups sums the normal forces on edges and of groups.
func (k *Contact) sumGroups() {
	for _, e := range k.loaded {
		k.load[e] = 0
	}
	k.loaded = k.loaded[:0]
	for i := range k.touches {
		t := &k.touches[i]
		p, h, g := &k.pairs[t.pair], k.halfOf(t), &k.groups[t.group]
		if g.covered == 0 {
			k.touched = append(k.touched, t.group)
		}
		g.normal += h.normal
		g.slipped += float64(h.normal * h.slip)
		g.covered += float64(h.stiffness * h.covered)
		for _, e := range p.edge {
			if k.load[e] == 0 {
				k.loaded = append(k.loaded, e)
			}
			k.load[e] += h.normal
		}
	}
	if f := k.now.friction; f.Kinetic == 0 && f.Static == 0 {
		return
	}
	for i := range k.touches {
		t := &k.touches[i]
		g, other := &k.groups[t.group], k.pairs[t.pair].edge[1-t.own]
		g.eased += float64(k.halfOf(t).normal * k.load[other] * k.Mobility[other])
		g.mobile = max(g.mobile, k.Mobility[other])
	}
}
