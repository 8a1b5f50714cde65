package contacts

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"
)

// Chatter of friction: contact nodes that open and shut while the contact as a whole is pressed
// steadily. Sliding of elastic bodies under Coulomb's law is unstable for the shortest waves (G. G.
// Adams, J. Appl. Mech. 62, 1995; K. Ranjith and J. R. Rice, J. Mech. Phys. Solids 49, 2001). Where
// nothing damps these waves, slip reverses from node to node, and on the mean friction is less than
// its coefficient times the normal force. Regularised friction can be too small for another reason:
// where it would reverse the motion of light nodes within a step it is reduced, see
// coulomb.Friction.LinearBelow. This file finds both from sums over windows of steps in
// which the bodies slide: their slips then have a direction.

const (
	chatterSteps = 500  // steps of a window
	closedSteps  = 20e3 // a node that chatters is closed for fewer steps on the mean each time; in steady sliding for 1e5 and more
	countEvery   = 8    // steps after which slips are added up
	oneWay       = 0.25 // part of the slips that goes in one direction where bodies slide: of a drawn bar that chatters 0.29 to 0.96, of what vibrates and holds less than 0.24
	steadyForce  = 0.5  // greatest standard deviation of the normal force in a window, relative to its mean; impacts and bounces have more
	fullFriction = 0.97 // part of coefficient times normal force from which friction is complete
	mostParts    = 3    // bodies of a contact that is watched: a bar drawn between two blocks, a disc between two pads
	fedWindows   = 16   // windows after one with chatter in which friction still feeds vibrations
	leastWindows = 4    // with fewer windows nothing is told
	toldFrom     = 0.05 // part of the windows in which bodies slide from which it is told
)

// mayChatter tells whether the friction of a contact may chatter: some of its bodies has the short waves
// that feed on it. Those of bodies that break come from their cracks. In a heap of bodies forces in all
// directions cancel in the sums of a contact, so that these tell nothing.
func (k *Contacts) mayChatter(c *models.SurfaceContact, breaks []int32) (deforms bool) {
	var parts []int32
	for _, edges := range [...][]int32{c.Contactor, c.Opposite} {
		for _, i := range edges {
			e := &k.Mesh.Edges[i]
			if breaks[e.Body] > 0 {
				return false
			}
			deforms = deforms || k.Mesh.Bodies[e.Body].Kind != mesh.OfOutline
			if !slices.Contains(parts, e.Component) {
				if parts = append(parts, e.Component); len(parts) > mostParts {
					return false
				}
			}
		}
	}
	return deforms
}

// chatter watches a contact with friction. Its exported fields are State.
type chatter struct {
	window  [8]float64 // sums over the steps of the window: steps; normal force, its square, friction [N]; contact nodes in contact, and those that separated again; in every countEvery-th step the slip speeds times normal forces, absolute and in one direction [W]
	heat    float64    // of friction at the start of the window [J]
	begun   float64    // time of that [s]
	marked  []bool     // contact nodes that have separated in the window, as in contactnodes.Contact.Reopened
	windows [3]float64 // number of windows in which bodies slid, in which nodes chattered, and in which regularised friction was reduced
	carried [4]float64 // sums over the windows of the last two kinds: friction, and coefficient times normal force [N]
}

func (h *chatter) parts(prefix string) []system.Part {
	return []system.Part{
		{Name: prefix + "window", Values: h.window[:]}, {Name: prefix + "window_heat", Values: &h.heat}, {Name: prefix + "window_begun", Values: &h.begun},
		{Name: prefix + "marked", Values: &h.marked}, {Name: prefix + "windows", Values: h.windows[:]}, {Name: prefix + "carried", Values: h.carried[:]},
	}
}

// ShareWatch replaces what watches friction by what the functions return for it: sums, and marks of contact
// nodes.
func (k *Surfaces) ShareWatch(sums func([]float64) []float64, marks func([]bool) []bool) {
	for _, h := range k.chatters {
		if h == nil {
			continue
		}
		all := slices.Concat(h.window[:], []float64{h.heat, h.begun}, h.windows[:], h.carried[:])
		all = sums(all)
		all = all[copy(h.window[:], all):]
		h.heat, h.begun = all[0], all[1]
		copy(h.carried[:], all[2+copy(h.windows[:], all[2:]):])
		h.marked = marks(h.marked)
	}
}

// add adds a step of the contact to the window.
func (h *chatter) add(c *contactnodes.Contact, time float64) {
	for len(h.marked) < c.Marks() {
		h.marked = append(h.marked, false)
	}
	w := &h.window
	if int(w[0])%countEvery == 0 {
		one, all := c.Slips()
		w[6] += all
		w[7] += one
	}
	for i, v := range [...]float64{1, c.Normal, float64(c.Normal * c.Normal), math.Abs(c.Tangential), float64(c.Active), float64(c.Reopened(h.marked))} {
		w[i] += v
	}
	if w[0] == chatterSteps {
		h.judge(c, time)
		h.window, h.heat, h.begun = [8]float64{}, c.Work().FrictionLoss(), time
		clear(h.marked)
	}
}

// judge counts the window if bodies slid in it.
func (h *chatter) judge(c *contactnodes.Contact, time float64) {
	normal, friction, closed, again := h.window[1]/chatterSteps, h.window[3]/chatterSteps, h.window[4], h.window[5]
	spread := math.Sqrt(max(0, h.window[2]/chatterSteps-float64(normal*normal)))
	limit := float64(c.Friction.Kinetic * normal)
	heat := c.Work().FrictionLoss() - h.heat
	c.Fed = max(0, c.Fed-1)
	if !(heat > 0 && limit > 0 && spread <= steadyForce*normal && math.Abs(h.window[7]) >= oneWay*h.window[6]) {
		return
	}
	h.windows[0]++
	kind := 0
	switch slip := heat / (friction * (time - h.begun)); {
	case friction >= fullFriction*limit:
		return
	case closed < closedSteps*again:
		kind = 1
	case !c.Friction.Sticks() && slip > c.Friction.Speed && c.Speeds.Linear > c.Friction.Speed:
		kind = 2
	default:
		return
	}
	if h.windows[kind]++; kind == 1 {
		c.Fed = fedWindows
	}
	h.carried[2*kind-2] += friction
	h.carried[2*kind-1] += limit
}

// Unsteady tells how the friction of a contact was less than Coulomb's law says.
type Unsteady struct {
	Contact  string
	Chatters float64 // part of the time of sliding in which contact nodes opened and shut under a steady force
	Reduced  float64 // part of it in which regularised friction was reduced although slip was faster than its speed
	Carried  float64 // what friction was then, relative to its coefficient times the normal force
	Speed    float64 // of regularised friction, in the deck and as it was widened at most [m/s]
	Widened  float64
}

// unsteady returns the contacts whose friction was less than Coulomb's law says while they slid.
func (k *Surfaces) unsteady() (out []Unsteady) {
	for i, c := range k.Surfaces {
		if len(k.chatters) == 0 || k.chatters[i] == nil {
			continue
		}
		h := k.chatters[i]
		for kind, n := range h.windows[1:] {
			if n < leastWindows || n < toldFrom*h.windows[0] {
				continue
			}
			u := Unsteady{Contact: c.Name, Carried: h.carried[2*kind] / h.carried[2*kind+1], Speed: c.Friction.Speed, Widened: c.Speeds.Linear}
			if kind == 0 {
				u.Chatters = n / h.windows[0]
			} else {
				u.Reduced = n / h.windows[0]
			}
			out = append(out, u)
		}
	}
	return out
}

// Unsteady returns the contacts whose friction was less than Coulomb's law says while they slid.
func (k *Contacts) Unsteady() []Unsteady {
	for _, e := range k.Engines {
		if s, ok := e.(*Surfaces); ok {
			return s.unsteady()
		}
	}
	return nil
}
