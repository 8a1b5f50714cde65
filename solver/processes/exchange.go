package processes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"fdem/contactnodes/potential"
	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/ranks"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// Several processes (MPI ranks) share the triangles of a step by domain decomposition. Each
// process has the whole model and computes whole steps. Like a worker it computes triangle
// forces only for its own range of nodes, and receives the forces that others compute. It may
// read three classes of nodes:
//
//	owned     the nodes of its own range (ownedFrom): it moves them
//	followed  nodes of outlines, those that a kind names (follows), and those at borders of
//	          ranges: their forces are exchanged in every step, and every process moves them
//	every     all of them, where some kind cannot name what it reads: all processes move all nodes
//
// Nodes that are neither owned nor followed are out of date until updateAll.
//
// The memory and output of triangles' laws are only in the processes that evaluate them
// (ranklaws.go).
//
// During a run a kind may need more nodes, such as those around triangles near their strength.
// It gets them in a step in which all processes need them (getNodes). From then on it may
// follow them (follow).
//
// Every process computes everything else by itself, also contact, with the same bits. Decisions
// that depend on the clock or a signal are agreed once a step. Processes must make the same
// calls of package ranks in the same order, so no call may depend on a clock. All calls are in
// this file.

// Sharing is the data of the exchange among processes.
type Sharing struct {
	OwnedFrom     []int32   // rank r owns the nodes [ownedFrom[r], ownedFrom[r+1]), whose forces it computes; nil if each computes all
	cuts          []float64 // fractions of the triangles before each rank except the first; nil for equal numbers
	all           *ranks.Layout
	join          func(found []int32) []int32    // combines the triangles near their strength that processes have found; nil for one process
	woken         bool                           // a triangle is near its strength
	Followed      []int32                        // nodes whose forces all processes get, ascending; nil for all nodes
	shared        *ranks.Layout                  // layout of these nodes
	Own           [2]int                         // range of these nodes that this process owns
	force         []r2.Vec                       // forces on these nodes, each followed by the damping force if there is damping
	isFollowed    []bool                         // of each node: it is in followed
	Getting       func(nodes, triangles []int32) // gets the present data of nodes and of triangles' laws that this process lacks; nil if it has all
	GettingAll    func()                         // gets the data of all nodes
	Following     func(nodes []int32)            // follows these nodes from now on
	Meeting       *potential.Others              // exchange for the contact of fragments; nil for one process
	received      []r2.Vec                       // of nodes of others
	leaves        map[int]*leafSums              // by the number of leaves
	latest        system.Energies                // the ledger as last added up
	FollowedSpans []fem.Span                     // nodes that this process moves in addition to its own
	upTo          int64                          // the state that is up to date everywhere, see updateAll
	lawsUp        bool                           // the last output of laws is up to date everywhere, see updateLaws
	answers       []float64                      // output of laws to be sent
	ledger        int64                          // the state of latest
	Every         []string                       // names of kinds that read all nodes
	Contact       contactRank
	request       func() int     // requests to this process
	agreed        func(bits int) // requests to all together
}

// leafSums are sums over leaves of nodes. Each process adds its own leaves, and sends the sums
// of the largest whole subtrees that it has.
type leafSums struct {
	own    [2]int // range of this process among all subtrees
	first  []int32
	width  []int32
	sum    []elementary.Terms
	layout *ranks.Layout
	tree   elementary.Tree
}

// Flags that processes exchange in every step.
const (
	isInverted = 1 << iota // a triangle is inverted
	isStopped
	isAsked  // a checkpoint is requested
	isFailed // contact has failed, in the process that evaluates it
	isWoken  // a triangle is near its strength

	loadedNodes = iota // the bits from here on are the number of nodes with contact forces, in that process
)

// divide sets a team's parts of the triangles and nodes.
func (k *Division) divide(t *threads.Team) {
	t.Parts, t.Moving = t.Whole, t.Whole
	if ranks.Size == 1 {
		return
	}
	h := &k.Sharing
	if h.OwnedFrom == nil {
		k.Partition(h, ranks.Rank, ranks.Size)
		h.upTo, h.ledger, h.Contact.may, h.Contact.even = -1, -1, k.mayOwn(h), k.mayEven(h)
	}
	t.Parts = k.solids.SubdomainsOf(h.OwnedFrom[ranks.Rank], h.OwnedFrom[ranks.Rank+1], t.Workers)
	if h.Followed != nil {
		t.Moving, k.Followed = t.Parts, h.FollowedSpans
		h.Following = k.followNodes
		h.Meeting = &potential.Others{
			First: h.OwnedFrom[ranks.Rank], End: h.OwnedFrom[ranks.Rank+1], Farthest: greatestOfAll,
			GetAll: func() { ranks.Gather(k.X, h.all) }, GetNodes: k.getNodes, Follow: k.followNodes,
		}
	}
	if h.Followed != nil || k.solids.Lawful() {
		h.Getting, h.GettingAll = k.getAround, k.getAllNodes
		k.ShareLeaves(k.ownLeaves, k.foldLeaves)
	}
}

// Partition divides the nodes among a number of processes, of which this is
// one.
func (k *Division) Partition(h *Sharing, rank, size int) {
	parts := k.parts(h.cuts, size)
	counts := make([]int, size)
	h.OwnedFrom, h.join, h.Every = []int32{0}, h.joinWoken, nil
	h.leaves = map[int]*leafSums{}
	for r := range counts {
		end := int32(len(k.X))
		if r < len(parts) {
			_, end = parts[r].Nodes()
		}
		counts[r] = int(end - h.OwnedFrom[r])
		h.OwnedFrom = append(h.OwnedFrom, end)
	}
	h.all = ranks.NewLayout[r2.Vec](counts)
	h.isFollowed = make([]bool, len(k.X))
	want := func(n int32) { h.isFollowed[n] = true }
	for _, of := range k.list {
		if reads, ok := of.(system.Following); !ok || !reads.NodesRead(want) {
			h.Every = append(h.Every, of.Name())
		}
	}
	if len(h.Every) > 0 {
		return
	}
	for _, n := range k.Tracked.Lines.Nodes {
		want(n)
	}
	for n := k.Meshed; n < len(k.X); n++ {
		want(int32(n))
	}
	for r, p := range parts {
		p.Reads(func(n int32) {
			if n < h.OwnedFrom[r] || n >= h.OwnedFrom[r+1] {
				want(n)
			}
		})
	}
	h.Followed = []int32{}
	for n, wanted := range h.isFollowed {
		if wanted {
			h.Followed = append(h.Followed, int32(n))
		}
	}
	h.list(rank, size, k.vectors())
}

// joinWoken returns the triangles near their strength that any process has found.
func (h *Sharing) joinWoken(found []int32) []int32 {
	if !h.woken {
		return found
	}
	return ranks.Join(found)
}

// vectors returns the number of exchanged vectors per node: the force, and with damping the
// damping force.
func (k *Division) vectors() int {
	if k.Motion.Damping != nil {
		return 2
	}
	return 1
}

// parts returns the triangles of a number of processes. cuts are the fractions before each
// process except the first, nil for equal numbers.
func (k *Division) parts(cuts []float64, size int) []*fem.Subdomain {
	if cuts == nil {
		return k.solids.Subdomains(size)
	}
	var parts []*fem.Subdomain
	from := int32(0)
	for _, to := range append(k.solids.Cuts(cuts), int32(len(k.X))) {
		parts = append(parts, k.solids.SubdomainsOf(from, to, 1)...)
		from = to
	}
	return parts
}

// list sets the data that follow from the list of followed nodes, with a number of vectors per
// node.
func (h *Sharing) list(rank, size, vectors int) {
	counts, r := make([]int, size), 0
	h.FollowedSpans, h.Own = h.FollowedSpans[:0], [2]int{}
	for _, n := range h.Followed {
		for n >= h.OwnedFrom[r+1] {
			r++
		}
		counts[r] += vectors
		if r < rank {
			h.Own[0]++
		}
		if r <= rank {
			h.Own[1]++
		}
		if r == rank {
			continue
		}
		if k := len(h.FollowedSpans) - 1; k >= 0 && h.FollowedSpans[k].End == n {
			h.FollowedSpans[k].End++
		} else {
			h.FollowedSpans = append(h.FollowedSpans, fem.Span{First: n, End: n + 1})
		}
	}
	h.shared, h.force = ranks.NewLayout[r2.Vec](counts), slices.Grow(h.force[:0], vectors*len(h.Followed))[:vectors*len(h.Followed)]
}

// followNodes makes all processes follow some nodes from now on.
func (k *Division) followNodes(nodes []int32) {
	h := &k.Sharing
	before := len(h.Followed)
	for _, n := range nodes {
		if !h.isFollowed[n] {
			h.isFollowed[n] = true
			h.Followed = append(h.Followed, n)
		}
	}
	if len(h.Followed) > before {
		slices.Sort(h.Followed)
		h.list(ranks.Rank, ranks.Size, k.vectors())
		k.Followed = h.FollowedSpans
	}
}

// Follow makes this process follow the named nodes from now on. It does nothing if the
// process has all nodes.
func (h *Sharing) Follow(name func(each func(n int32))) {
	if h.Following == nil {
		return
	}
	var list []int32
	name(func(n int32) { list = append(list, n) })
	h.Following(list)
}

// GetNodes returns what gets the present data of nodes and of triangles' laws that this process
// lacks; nil if it has all.
func (h *Sharing) GetNodes() func(nodes, triangles []int32) { return h.Getting }

// GetAllNodes gets the data of all nodes.
func (h *Sharing) GetAllNodes() {
	if h.GettingAll != nil {
		h.GettingAll()
	}
}

// Join returns what combines the triangles near their strength that processes have found; nil for
// one process.
func (h *Sharing) Join() func(found []int32) []int32 { return h.join }

// Meet returns the exchange for the contact of fragments; nil for one process.
func (h *Sharing) Meet() *potential.Others { return h.Meeting }

// getNodes gets the present positions, velocities and forces of nodes, ascending.
func (k *Division) getNodes(nodes []int32) {
	h := &k.Sharing
	arrays := [4][]r2.Vec{k.X, k.V, k.F, k.Motion.Damping}
	of := arrays[:2+k.vectors()]
	each := func(do func(r, at int, n int32)) {
		r, at := 0, 0
		for _, n := range nodes {
			for n >= h.OwnedFrom[r+1] {
				r++
			}
			if !h.isFollowed[n] {
				do(r, at, n)
				at += len(of)
			}
		}
	}
	counts := make([]int, ranks.Size)
	all := 0
	each(func(r, _ int, _ int32) { counts[r] += len(of); all += len(of) })
	if all == 0 {
		return
	}
	h.received = slices.Grow(h.received[:0], all)[:all]
	each(func(r, at int, n int32) {
		if r == ranks.Rank {
			for i, a := range of {
				h.received[at+i] = a[n]
			}
		}
	})
	ranks.Gather(h.received, ranks.NewLayout[r2.Vec](counts))
	each(func(_, at int, n int32) {
		for i, a := range of {
			a[n] = h.received[at+i]
		}
	})
}

// exchange gets the forces computed by other processes, and tells whether any has found an
// inverted triangle.
func (k *Division) exchange(inverted bool) bool {
	h := &k.Sharing
	bits := 0
	if h.request != nil {
		bits = h.request()
	}
	if inverted {
		bits |= isInverted
	}
	if h.Contact.failed != nil {
		bits |= isFailed
	}
	if k.wakes() {
		bits |= isWoken
	}
	bits |= k.loaded() << loadedNodes
	lap := k.Timer.Nested(nil, time.Time{})
	bits = ranks.Any(bits)
	lap = k.Timer.Nested(&k.Timer.Others[system.PhaseWait], lap)
	h.woken = bits&isWoken != 0
	if h.agreed != nil {
		h.agreed(bits)
	}
	switch {
	case h.Followed != nil:
		k.exchangeForces()
	case h.OwnedFrom != nil:
		ranks.Gather(k.F, h.all)
		if k.Motion.Damping != nil {
			ranks.Gather(k.Motion.Damping, h.all)
		}
	}
	if bits&isFailed != 0 && h.Contact.failed == nil {
		h.Contact.failed = errContactElsewhere
	}
	if h.Contact.owned && h.Contact.failed == nil {
		k.shareContact(bits >> loadedNodes)
	}
	k.Timer.Nested(&k.Timer.Others[system.PhaseExchange], lap)
	return bits&isInverted != 0
}

// wakes tells whether this process has found a triangle near its strength.
func (k *Division) wakes() bool {
	return slices.ContainsFunc(k.Team.Parts, (*fem.Subdomain).Wakes)
}

// exchangeForces gets the forces on the followed nodes.
func (k *Division) exchangeForces() {
	h, d := &k.Sharing, k.Motion.Damping
	if d == nil {
		for i := h.Own[0]; i < h.Own[1]; i++ {
			h.force[i] = k.F[h.Followed[i]]
		}
		ranks.Gather(h.force, h.shared)
		for i, n := range h.Followed {
			k.F[n] = h.force[i]
		}
		return
	}
	for i := h.Own[0]; i < h.Own[1]; i++ {
		n := h.Followed[i]
		h.force[2*i], h.force[2*i+1] = k.F[n], d[n]
	}
	ranks.Gather(h.force, h.shared)
	for i, n := range h.Followed {
		k.F[n], d[n] = h.force[2*i], h.force[2*i+1]
	}
}

// moveFollowed moves worker i's part of the nodes that this process moves in addition to
// its own.
func (k *Division) moveFollowed(i int) {
	all, n := k.Sharing.FollowedSpans, k.Team.Workers
	k.solids.MoveOnly(&k.Motion, all[i*len(all)/n:(i+1)*len(all)/n], k.kick, k.drift)
}

// UpdateAll brings all nodes up to date in all processes, once for a state. Further calls,
// such as those of the progress line, which depend on the clock, make no call of MPI.
func (k *Division) UpdateAll() {
	h := &k.Sharing
	if h.Followed == nil {
		return
	}
	now := k.instant()
	if h.upTo == now {
		return
	}
	h.upTo = now
	ranks.Gather(k.X, h.all)
	ranks.Gather(k.V, h.all)
	ranks.Gather(k.F, h.all)
	if k.Motion.Damping != nil {
		ranks.Gather(k.Motion.Damping, h.all)
	}
}

// greatestOfAll returns the greatest of the processes' values, which must not be
// negative.
func greatestOfAll(v float64) (most float64) {
	for _, bits := range ranks.Each(int64(math.Float64bits(v))) {
		most = max(most, math.Float64frombits(uint64(bits)))
	}
	return most
}

// getAllNodes brings all nodes and the output of laws up to date during an evaluation of
// forces, which then changes them further.
func (k *Division) getAllNodes() {
	k.Sharing.upTo = -1
	k.UpdateAll()
	k.Sharing.upTo = -1
	k.UpdateLaws(false)
}

// UpdateState brings the whole state up to date in all processes: positions, velocities,
// forces, and the data of processes that own nodes or evaluate contact or laws.
func (k *Division) UpdateState() { k.updateState(false) }

// updateState is UpdateState. With committed the memory of laws is that for the last
// evaluation, otherwise that for the next one.
func (k *Division) updateState(committed bool) {
	k.UpdateAll()
	k.UpdateLaws(committed)
	k.updateContact()
	if k.Sharing.Followed == nil {
		return
	}
	for of := range system.All[system.Owning](k.list) {
		ranks.Gather(of.OfOwners(), k.Sharing.all)
	}
}

// instant returns the number of the present state in the run.
func (k *Division) instant() int64 {
	if k.cleared {
		return 2 * k.N
	}
	return 2*k.N + 1
}

// LastLedger returns the ledger of the present state if the processes have added it up. This makes no
// call of MPI, because the caller may depend on the clock.
func (k *Division) LastLedger() (e system.Energies, ok bool) {
	h := &k.Sharing
	return h.latest, h.OwnedFrom != nil && h.ledger == k.instant()
}

// KeepLedger keeps the ledger of the present state.
func (k *Division) KeepLedger(e *system.Energies) {
	if h := &k.Sharing; h.OwnedFrom != nil {
		h.latest, h.ledger = *e, k.instant()
	}
}

// ownLeaves returns the range of leaves that this process adds. It is all of them if all data
// are up to date.
func (k *Division) ownLeaves(count int) (from, to int) {
	if k.whole() {
		return 0, count
	}
	return k.Sharing.LeavesOf(ranks.Rank, count)
}

// whole tells whether all data for sums are up to date.
func (k *Division) whole() bool {
	h := &k.Sharing
	return (h.Followed == nil || h.upTo == k.instant()) && (h.lawsUp || !k.solids.Lawful())
}

// LeavesOf returns the range of whole leaves of a rank.
func (h *Sharing) LeavesOf(rank, count int) (from, to int) {
	end := h.OwnedFrom[len(h.OwnedFrom)-1]
	of := func(bound int32) int {
		if bound == end {
			return count
		}
		return min(int(bound)/elementary.Leaf, count)
	}
	if rank > 0 {
		from = of(h.OwnedFrom[rank])
	}
	return from, of(h.OwnedFrom[rank+1])
}

// foldLeaves returns the sums over all leaves, with those of other processes.
func (k *Division) foldLeaves(leaf []elementary.Terms) elementary.Terms {
	h := &k.Sharing
	if k.whole() {
		return elementary.Fold(leaf)
	}
	if h.leaves[len(leaf)] == nil {
		h.leaves[len(leaf)] = h.newLeafSums(ranks.Rank, ranks.Size, len(leaf))
	}
	s := h.leaves[len(leaf)]
	for i := s.own[0]; i < s.own[1]; i++ {
		s.sum[i] = elementary.Fold(leaf[s.first[i]:][:s.width[i]])
	}
	ranks.Gather(s.sum, s.layout)
	for i, first := range s.first {
		*s.tree.At(elementary.Leaf * first) = s.sum[i]
	}
	return s.tree.Sum()
}

// newLeafSums prepares sums over a number of leaves.
func (h *Sharing) newLeafSums(rank, size, count int) *leafSums {
	s, counts := &leafSums{}, make([]int, size)
	for r := range counts {
		before := len(s.first)
		for first, width := range elementary.Subtrees(h.LeavesOf(r, count)) {
			s.first, s.width = append(s.first, int32(first)), append(s.width, int32(width))
		}
		if counts[r] = len(s.first) - before; r == rank {
			s.own = [2]int{before, len(s.first)}
		}
	}
	s.sum, s.layout = make([]elementary.Terms, len(s.first)), ranks.NewLayout[elementary.Terms](counts)
	return s
}

// Share is the division of a model among processes, with its exchange.
type Share struct {
	Ranks     int
	Exchanged int    // Number of nodes whose forces all processes get in every step, and number of all nodes.
	Of        int    //
	Vectors   int    // per node, 2 with damping
	Breaks    bool   // nodes at cracks are added as these open
	Why       string // the reason if all nodes are exchanged; else ""

	Whole  int     // bytes that bring all nodes up to date: for a row, a frame and a checkpoint
	Laws   int     // bytes of the output of all laws: for a frame and a checkpoint
	Row    int     // bytes of the output of laws for a row: for probes and for the sums of energy
	Sums   float64 // mean bytes per step for the sums of the ledger
	Shared float64 // fraction of the time of the steps so far that is shared, by the profile; NaN before the first step
	One    float64 // fraction for contact that rank 0 computes for all
}

// Bytes returns the bytes that each process receives in a step.
func (p *Share) Bytes() int { return forceBytes * p.Vectors * p.Exchanged }

const forceBytes = 16 // bytes of a force on a node

func (p *Share) String() string {
	switch {
	case p.Why != "":
		return fmt.Sprintf("%d ranks share the triangles and exchange the forces on all %d nodes, %d bytes a step, because of %s", p.Ranks, p.Of, p.Bytes(), p.Why)
	}
	more := ""
	if p.Breaks {
		more = ", and more as cracks open"
	}
	return fmt.Sprintf("%d ranks share the triangles and exchange the forces on %d of %d nodes, %d bytes a step%s", p.Ranks, p.Exchanged, p.Of, p.Bytes(), more)
}

// CheckEvery is the number of steps between checks of the ledger, unless the watch needs one
// before.
const CheckEvery = 100

// PredictShare returns the division of the model among a number of processes.
func (k *Division) PredictShare(size int) Share {
	n := len(k.X)
	var h Sharing
	k.Partition(&h, 0, size)
	if h.Followed == nil {
		return Share{Ranks: size, Exchanged: n, Of: n, Vectors: k.vectors(), Why: "what reads every node: " + strings.Join(h.Every, ", "), Shared: k.partOf(k.timeOfTriangles())}
	}
	shared, one := k.timeOfTriangles()+k.Timer.Others[system.PhaseMove]+k.Timer.Others[system.PhaseLedger], time.Duration(0)
	if k.mayOwn(&h) {
		one = k.timeOfContact()
	}
	ofNodes, always := h.sumBytes(size, (n+elementary.Leaf-1)/elementary.Leaf), 0.0 // bytes of sums in every step
	now := ofNodes + h.sumBytes(size, k.solids.Leaves())
	for range system.All[system.Owning](k.list) {
		always += ofNodes
	}
	if k.Motion.Damping != nil {
		always += h.sumBytes(size, len(k.Motion.Powers))
		now += ofNodes
	}
	laws, row := k.answerBytes(k.solids.AllLawBlocks()), 0
	if laws > 0 {
		always += float64(float64(8*size) / bodies.MeasureEvery)
		row = k.answerBytes(k.probed()) + int(now)
	}
	return Share{
		Laws: laws, Row: row,
		Ranks: size, Exchanged: len(h.Followed), Of: n, Vectors: k.vectors(), Shared: k.partOf(shared + one), One: k.partOf(one), Whole: (2 + k.vectors()) * forceBytes * n,
		Sums: always + float64(now/CheckEvery) + float64(ofNodes/contacts.WaitSteps), Breaks: k.breaking.Breaks(),
	}
}

// sumBytes returns the exchange for a sum over a number of leaves [bytes].
func (h *Sharing) sumBytes(size, count int) float64 {
	return float64(len(h.newLeafSums(0, size, count).first) * int(unsafe.Sizeof(elementary.Terms{})))
}

// timeOf returns the time of the timed steps for the forces of a system.
func (k *Division) timeOf(of system.System) time.Duration {
	if i := slices.Index(k.list, of); i >= 0 {
		return k.Timer.Systems[i]
	}
	return 0
}

// timeOfTriangles returns the time of the timed steps for the forces of triangles.
func (k *Division) timeOfTriangles() (sum time.Duration) {
	for of := range system.All[*bodies.Continuum](k.list) {
		sum += k.timeOf(of)
	}
	return sum
}

// timeOfContact returns the time of the timed steps for contact.
func (k *Division) timeOfContact() time.Duration {
	sum := k.timeOf(k.touching) + k.Timer.Others[system.PhaseSearch]
	for _, d := range k.Timer.Others[system.PhaseContact:] {
		sum += d
	}
	for _, e := range k.Timer.Engines {
		sum += e.Took
	}
	return sum
}

// partOf returns a time divided by that of all timed steps, NaN before the first.
func (k *Division) partOf(d time.Duration) float64 {
	all := time.Duration(0)
	for _, d := range k.Timer.Systems {
		all += d
	}
	for _, d := range k.Timer.Others {
		all += d
	}
	for _, e := range k.Timer.Engines {
		all += e.Took
	}
	return float64(d) / float64(all)
}

// Agree makes all processes stop, or write a checkpoint, in the same step if any of them has a
// request: ctx is done, or here, which may be nil, returns true. It returns the same for all.
func (k *Division) Agree(ctx context.Context, here func() bool) (context.Context, func() bool) {
	all, stop := context.WithCancel(context.Background())
	asked := false
	k.Sharing.request = func() (bits int) {
		if ctx.Err() != nil {
			bits |= isStopped
		}
		if here != nil && here() {
			bits |= isAsked
		}
		return bits
	}
	k.Sharing.agreed = func(bits int) {
		if bits&isStopped != 0 {
			stop()
		}
		asked = asked || bits&isAsked != 0
	}
	k.Sharing.agreed(ranks.Any(k.Sharing.request()))
	return all, func() bool {
		was := asked
		asked = false
		return was
	}
}
