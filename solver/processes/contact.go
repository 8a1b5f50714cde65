package processes

import (
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"fdem/contactnodes"
	"fdem/contactnodes/onnodes"
	"fdem/ranks"
	"fdem/solver/contacts"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact with several processes. At first each process evaluates all contact. If contact takes
// much time, the first process evaluates it for all, before its triangles. It then has fewer
// triangles, so that all processes end at the same time. If contact takes the time C and all
// triangles take T, n processes take (T + C)/n. The others receive the contact forces on nodes
// and further data that they need. An evaluation reads only positions and velocities, so it may
// come before the forces of triangles without changing the bits.
//
// The division of triangles follows measured times. All processes change it in the same step,
// by the times of the first process. If that process does not evaluate contact, and triangles
// have laws, the triangles are divided such that all processes take the same time; triangles
// that flow take longer than others.

// contactRank has the processes' data about contact that the first one evaluates.
type contactRank struct {
	may    bool // contact is only between outlines of meshed bodies
	even   bool // triangles have laws, and their division may change
	owned  bool // the first process evaluates it
	failed error

	steps  int64              // steps so far
	spent  [2]time.Duration   // time of its triangles and of contact in this step
	last   [2][]time.Duration // the same in the last steps
	nodes  []int32            // nodes with contact forces
	answer []float64          // data sent to others
}

// The step of the first choice of the division, the interval of further ones, the number of
// steps for the median, and the least gain of a change.
const (
	firstShares = 64
	laterShares = 1024
	sharesSteps = 48
	sharesGain  = 1.05
	messageTime = 10e-6 // of a message [s]
	leastShare  = 0.02  // least fraction of the triangles
)

var errContactElsewhere = errors.New("contact failed in the first process")

// ShareVariable is an environment variable for tests. If the division follows the time, it sets
// the fraction of the triangles of the first process. This fraction and half of it alternate,
// independent of the clock.
const ShareVariable = "FDEM_CONTACT_SHARE"

// mayOwn tells whether the first of the processes may evaluate contact for all.
func (k *Division) mayOwn(h *Sharing) bool {
	for of := range system.All[system.Contacting](k.list) {
		if of != system.Contacting(k.touching) {
			return false
		}
	}
	engines := k.touching.Engines
	if len(engines) != 1 || len(k.Rigids) > 0 || k.InverseInertias != nil || k.Tracked.Lines.Transfer != nil {
		return false
	}
	_, byNodes := engines[0].(*contacts.Surfaces)
	return byNodes && h.Followed != nil
}

// mayEven tells whether the division may follow the time of laws. This requires that no kind
// needs further nodes during the run.
func (k *Division) mayEven(h *Sharing) bool {
	return !k.breaking.Breaks() && !k.breaking.Excavates() && k.solids.Lawful() && h.Followed != nil
}

// chooseShares changes the triangles of each process from time to time, but not while
// overlaps are ramped in.
func (k *Division) chooseShares() {
	h := &k.Sharing.Contact
	if !h.may && !h.even {
		return
	}
	for i, d := range h.spent {
		h.last[i] = append(h.last[i], d)
		h.last[i] = h.last[i][max(0, len(h.last[i])-sharesSteps):]
	}
	h.spent = [2]time.Duration{}
	ramps := func(c *contactnodes.Contact) bool {
		return c.Overlap.Mode == contactnodes.OverlapAllow && k.Time <= c.Overlap.Ramp
	}
	if h.steps++; h.steps != firstShares && h.steps%laterShares != 0 || slices.ContainsFunc(k.touching.Surfaces, ramps) {
		return
	}
	cuts, own, better := k.Sharing.choose()
	if !better {
		return
	}
	k.updateState(true)
	if own && !h.owned {
		k.Note("rank 0 computes the contact for all ranks from step %d on, and %.0f %% of the triangles", k.N, 100*cuts[0])
	}
	h.owned, k.Sharing.cuts = own, cuts
	k.Partition(&k.Sharing, ranks.Rank, ranks.Size)
	k.divide(k.Team)
	for _, t := range k.Trial.Teams {
		k.divide(t)
	}
}

// choose returns the best division of the triangles among processes. It tells whether the first
// process then evaluates contact, and whether the division is better than the present one.
func (h *Sharing) choose() (cuts []float64, own, better bool) {
	c := &h.Contact
	at := slices.Concat([]float64{0}, h.cuts, []float64{1})
	if h.cuts == nil {
		at = slices.Concat([]float64{0}, cutsBehind(1/float64(ranks.Size), ranks.Size), []float64{1})
	}
	asked, _ := strconv.ParseFloat(os.Getenv(ShareVariable), 64)
	if asked = math.Float64frombits(uint64(ranks.Each(int64(math.Float64bits(asked)))[0])); asked > 0 {
		if at[1] == asked {
			asked *= 0.5
		}
		return cutsBehind(asked, ranks.Size), c.may, true
	}
	var median [2][]float64 // time of each process [s]
	for i, list := range c.last {
		sorted := slices.Sorted(slices.Values(list))
		for _, d := range ranks.Each(int64(sorted[len(sorted)/2])) {
			median[i] = append(median[i], time.Duration(d).Seconds())
		}
	}
	if c.may {
		if share, better := c.balanceLoad(at[1], median[0][0], median[1][0]); better || c.owned {
			return cutsBehind(share, ranks.Size), true, better
		}
	}
	if !c.even {
		return nil, false, false
	}
	cuts, better = EvenCuts(at, median[0])
	return cuts, false, better
}

// balanceLoad returns the best fraction of the triangles for the first process if it evaluates
// contact, and whether that is better than the present fraction. mine is the present time of
// its triangles, triangles that of all, contact that of contact [s].
func (h *contactRank) balanceLoad(mine, triangles, contact float64) (share float64, better bool) {
	all, t, c := float64(ranks.Size), triangles/mine, contact
	share = max(leastShare, 1/all-float64(c*(all-1))/float64(all*t))
	takes := func(share float64) float64 {
		return max(c+float64(share*t), float64((1-share)/(all-1)*t)) + messageTime
	}
	now := c + float64(mine*t)
	if h.owned {
		now = takes(mine)
	}
	return share, now > float64(sharesGain*takes(share))
}

// cutsBehind returns the fractions of the triangles before each of a number of processes except
// the first, if the first has a given fraction and the others have equal parts.
func cutsBehind(first float64, size int) []float64 {
	cuts := make([]float64, size-1)
	for r := range cuts {
		cuts[r] = first + float64(float64(r)*(1-first)/float64(size-1))
	}
	return cuts
}

// EvenCuts returns the cuts for which all processes take the same time, and whether they are
// better. at are the present cuts, from 0 to 1. spent are the times of the processes between
// them [s].
func EvenCuts(at, spent []float64) (cuts []float64, better bool) {
	all, before, r := 0.0, 0.0, 0
	for _, s := range spent {
		all += s
	}
	for i := range spent[1:] {
		want := all * float64(i+1) / float64(len(spent))
		for r < len(spent)-1 && before+spent[r] < want {
			before += spent[r]
			r++
		}
		cuts = append(cuts, at[r]+float64((want-before)/spent[r]*(at[r+1]-at[r])))
	}
	return cuts, slices.Max(spent) > float64(sharesGain*(all/float64(len(spent))+messageTime))
}

// evaluateContact evaluates contact in the first process for all, before the forces of triangles.
func (k *Division) evaluateContact() {
	h := &k.Sharing.Contact
	h.failed = nil
	if ranks.Rank > 0 {
		return
	}
	h.failed = h.timed(func() error { return k.touching.Evaluate(true) })
}

// timed evaluates contact, and measures the time if there are several processes.
func (h *contactRank) timed(evaluate func() error) error {
	began := h.Began()
	err := evaluate()
	h.Ended(began)
	return err
}

// Began begins the time of contact.
func (h *contactRank) Began() (t time.Time) {
	if ranks.Size > 1 {
		t = time.Now()
	}
	return t
}

// Ended ends the time of contact.
func (h *contactRank) Ended(began time.Time) {
	if ranks.Size > 1 {
		h.spent[1] += time.Since(began)
	}
}

// perNode is the number of values sent per node: its number, and the contact's forces and
// bounds.
const perNode = 5

// loaded returns the number of nodes with contact forces, in the first process.
func (k *Division) loaded() int {
	h := &k.Sharing.Contact
	if !h.owned || ranks.Rank > 0 {
		return 0
	}
	h.nodes = k.Contact.Loaded(h.nodes[:0])
	return len(h.nodes)
}

// shareContact sends the contact forces on a number of nodes to all processes.
func (k *Division) shareContact(loaded int) {
	h, surfaces := &k.Sharing.Contact, k.touching.Surfaces
	var outcome contactnodes.Outcome
	n := loaded*perNode + len(surfaces)*len(outcome)
	h.answer = slices.Grow(h.answer[:0], n)[:n]
	counts := make([]int, ranks.Size)
	counts[0] = n
	layout := ranks.NewLayout[float64](counts)
	to := h.answer
	if ranks.Rank == 0 {
		for i, n := range h.nodes {
			of := k.Contact.On(n)
			copy(to[i*perNode:], []float64{float64(n), of.F.X, of.F.Y, of.Stiffness, of.Damping})
		}
		for i, c := range surfaces {
			outcome = c.Outcome()
			copy(to[loaded*perNode+i*len(outcome):], outcome[:])
		}
	}
	ranks.Gather(to, layout)
	if ranks.Rank == 0 {
		return
	}
	k.Contact.Clear()
	for ; loaded > 0; loaded-- {
		*k.Contact.On(int32(to[0])) = onnodes.Force{F: r2.Vec{X: to[1], Y: to[2]}, Stiffness: to[3], Damping: to[4]}
		to = to[perNode:]
	}
	for i, c := range surfaces {
		to = to[copy(outcome[:], to):]
		c.SetOutcome(outcome)
		k.touching.PeakForce[i] = max(k.touching.PeakForce[i], c.Normal)
	}
}

// updateContact sends the memory of contact nodes, and what watches their friction, to all
// processes, for a checkpoint.
func (k *Division) updateContact() {
	if !k.Sharing.Contact.owned {
		return
	}
	for _, c := range k.touching.Surfaces {
		c.Touched, c.Memory, c.Kept, c.Sticks = ranks.First(c.Touched), ranks.First(c.Memory), ranks.First(c.Kept), ranks.First(c.Sticks)
		c.Patches, c.Grips, c.Drags = ranks.First(c.Patches), ranks.First(c.Grips), ranks.First(c.Drags)
		c.OffsetBetween, c.PairElements, c.PairPeaks, c.Rolls = ranks.First(c.OffsetBetween), ranks.First(c.PairElements), ranks.First(c.PairPeaks), ranks.First(c.Rolls)
		of := ranks.First([]float64{c.PairPeak, c.PairStored})
		c.PairPeak, c.PairStored = of[0], of[1]
		d := &c.PairDampers
		d.Nodes, d.X, d.Y = ranks.First(d.Nodes), ranks.First(d.X), ranks.First(d.Y)
	}
	if surfaces, is := k.touching.Engines[0].(*contacts.Surfaces); is {
		surfaces.ShareWatch(ranks.First[float64], ranks.First[bool])
	}
}

func (k *contactRank) IsOwned() bool { return k.owned }
