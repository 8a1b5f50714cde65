package solver

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// UnstableError reports that the energy balance no longer closes.
type UnstableError struct {
	Step            int64
	Time            float64 // [s]
	Relative, Limit float64
	Entered         float64             // reference of the residual: the greatest energy stored or in motion so far, or that one step can make [J]
	Fastest         system.NodePosition // the fastest node, which is often at the cause
	Speed           float64
	Advice          string // what a user can change
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("unstable at step %d, t = %.6g s: the energy residual is %.3g of %.3g J, the greatest energy held or moved so far, the limit is %.3g; fastest is %v with %.4g m/s; %s",
		e.Step, e.Time, e.Relative, e.Entered, e.Limit, e.Fastest, e.Speed, e.Advice)
}

// NonFiniteError reports energies that are infinite or NaN.
type NonFiniteError struct {
	Step   int64
	Time   float64             // [s]
	First  system.NodePosition // the first node whose position or velocity is not finite
	Advice string              // what a user can change
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("step %d, t = %.6g s: energies are no longer finite numbers, first %v; %s", e.Step, e.Time, e.First, e.Advice)
}

// CollapseError reports a stable step that has become so short that the run would
// not end.
type CollapseError struct {
	Step          int64
	Time          float64             // [s]
	Limit, Before float64             // the step's limit now and at the start [s]
	Stiffest      system.NodePosition // the node where contact limits the step most, else the fastest node
	What, Advice  string              // what limits the step, and what a user can change
}

func (e *CollapseError) Error() string {
	return fmt.Sprintf("step %d, t = %.6g s: the stable step has fallen to %.3g s, less than a thousandth of the %.3g s at the start, because of %s: %s",
		e.Step, e.Time, e.Limit, e.Before, e.What, e.Advice)
}

// collapsedStep is the ratio of the step limit to the first step's limit below which
// a run stops.
const collapsedStep = 1e-3

// beyondStable returns what of a step energy no stable step has [J]. In a mode of frequency omega it is at most
// (omega dt/2)^2 of the energy, and omega dt/2 at most the safety of the step. If a linear spring is too stiff for the step,
// it alone grows, to all of the energy.
func (k *energyBalance) beyondStable(energy float64) float64 {
	safety := k.Safety
	if k.FixedStep > 0 {
		safety = 0.95 // its deck may ask for a step up to the limit
	}
	return math.Copysign(max(0, math.Abs(energy)-float64(safety*safety*k.yardstick())), energy)
}

// check stops a run whose results can no longer be trusted: the residual of its
// steps stays above the limit, or it is above the limit at the last step.
func (k *energyBalance) check(last bool) error {
	e := k.Energies()
	if !e.Finite() {
		return &NonFiniteError{k.N, k.Time, k.NonFinite(), k.stepAdvice()}
	}
	k.updateWatch()
	k.Ledger.QuasiStatic.AddRow(k.Time, &e)
	over := &k.Ledger.Watch.Over
	e.Residual = e.OfSteps() + k.beyondStable(e.StepEnergy)
	r := k.RelativeResidual(e)
	if !(r > k.ResidualLimit) {
		*over = 0
		return nil
	}
	if *over++; *over <= stepsAboveLimit && !last {
		return nil
	}
	at, speed := k.FastestNode()
	return &UnstableError{k.N, k.Time, r, k.ResidualLimit, k.yardstick(), at, speed, k.stepAdvice()}
}

// collapsed stops a run whose steps have become too short.
func (k *stepLimits) collapsed() error {
	if k.Limit >= collapsedStep*k.First {
		return nil
	}
	k.UpdateState()
	what, advice := k.shortest()
	return &CollapseError{k.N, k.Time, k.Limit, k.First, k.stiffestContact(), what, advice}
}

// stiffestContact finds the node whose contact needs the shortest step.
func (k *stepLimits) stiffestContact() system.NodePosition {
	best, most := int32(-1), 0.0
	for _, n := range k.Tracked.Lines.Nodes {
		w := max(k.Inverse(n).X, k.Inverse(n).Y)
		if w == 0 { // limited by a rigid body
			w = 1
		}
		on := k.Contact.At(n)
		if k := (on.Stiffness + on.Damping) * w; k > most {
			best, most = n, k
		}
	}
	if best < 0 {
		at, _ := k.FastestNode()
		return at
	}
	return k.NodePosition(int(best))
}

// NotConvergedError reports that no increment reached equilibrium, however short.
type NotConvergedError struct {
	Time         float64 // of the last increment in equilibrium [s]
	Increment    float64 // the shortest increment that was tried [s]
	Residual     float64 // out-of-balance force in it [N]
	Allowed      float64 // [N]
	Nodes        []int32 // file numbers of the nodes that are farthest from equilibrium
	Positions    []r2.Vec
	Unrestrained []string // bodies that are free to move as a whole, see Advice
	Slides       []string // contacts whose friction was at its limit everywhere
	Separated    []string // contacts that carried no load
	FreeWithout  []string // bodies that only the separated contacts would hold
	Collapsed    []string // bodies that flow plastically and resist no more
	Borne        []string // the loads in the last equilibrium
	Reason       error    // why the last iteration stopped; nil if all iterations were used
}

func (e *NotConvergedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no balance after t = %.6g s: an increment of %.3g s leaves %.3g N where %.3g N are allowed", e.Time, e.Increment, e.Residual, e.Allowed)
	if e.Reason != nil {
		fmt.Fprintf(&b, " (%v)", e.Reason)
	}
	if len(e.Nodes) > 0 {
		b.WriteString("; furthest from it:")
	}
	for i, n := range e.Nodes {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " node %d at (%.6g, %.6g) m", n, e.Positions[i].X, e.Positions[i].Y)
	}
	if len(e.Unrestrained) > 0 {
		fmt.Fprintf(&b, "; %s", Advice(e.Unrestrained))
	}
	if len(e.Collapsed) > 0 {
		fmt.Fprintf(&b, "; plastic collapse: \"%s\" flows and carries no more than at t = %.6g s (%s); to follow it further, prescribe a displacement by a [[drive]] instead of the load", strings.Join(e.Collapsed, `", "`), e.Time, strings.Join(e.Borne, ", "))
	}
	if len(e.Slides) > 0 {
		fmt.Fprintf(&b, "; friction carries no more in contact %s: what nothing else holds slides, and is in balance only if it is fixed, driven by a displacement or a motion, or given more friction", strings.Join(e.Slides, ", "))
	}
	if len(e.FreeWithout) > 0 {
		fmt.Fprintf(&b, "; nothing presses in contact \"%s\", and nothing else holds %s: fix what its load lifts, or tie it", strings.Join(e.Separated, `", "`), strings.Join(e.FreeWithout, ", "))
	}
	return b.String()
}

// Borne tells the resultants of the loads at the last evaluation that was committed.
func (s *Solver) Borne() (out []string) {
	for _, l := range s.loads.List {
		var sum r2.Vec
		for i := range l.LoadNodes {
			sum.X += l.LoadForce[i].X
			sum.Y += l.LoadForce[i].Y
		}
		if f := elementary.Norm(sum); f > 0 {
			out = append(out, fmt.Sprintf("%.4g N of the load on %q", f, l.On))
		}
	}
	return out
}

// Yields tells whether some material has plastic strain.
func (s *Solver) Yields() bool { return slices.ContainsFunc(s.Materials, bulk.Material.Yields) }

// PlasticStrains sets out to the equivalent plastic strain of each triangle at the last evaluation,
// committed or not.
func (s *Solver) PlasticStrains(out []float64) { s.triangles.Values(bulk.PlasticStrain, out) }

// UnheldError reports that loads of a static analysis move what nothing holds, so that there is no
// equilibrium to begin with.
type UnheldError struct {
	Time      float64  // from which the loads do [s]
	Of        string   // name of the first body that they move
	Bodies    []string // all of them, with their free motions
	Hinged    bool     // the bodies are held, but turn about hinges or single nodes
	Separated []string // contacts that would hold the bodies if something pressed in them
}

func (e *UnheldError) Error() string {
	at := "from the start"
	if e.Time > 0 {
		at = fmt.Sprintf("after t = %.6g s", e.Time)
	}
	what := "supports leave free as a whole: " + some(e.Bodies)
	const hold = ": [[fix]] it there, move it by a [[drive]], or let a [[spring]], a [[tie]] or a contact with friction hold it"
	switch {
	case e.Hinged:
		return fmt.Sprintf("no balance %s: loads move a mechanism, that of %q: its parts turn about hinges or single nodes, or hang on too few springs, and nothing resists%s", at, strings.Join(e.Bodies, `", "`), hold)
	case len(e.Separated) > 0:
		return fmt.Sprintf("no balance %s: loads move what %s, since nothing presses in contact \"%s\"%s", at, what, strings.Join(e.Separated, `", "`), hold)
	}
	return fmt.Sprintf("no balance %s: loads move what %s; nothing holds it there%s", at, what, hold)
}

// some returns the first few of the names.
func some(names []string) string {
	const most = 5
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ") + more
}

// Advice returns which bodies are free to move, and what would hold them.
func Advice(unrestrained []string) string {
	return "supports leave free as a whole: " + some(unrestrained) +
		"; contact holds a body only against itself where it has no friction, or where what it meets is as free: in directions in which nothing presses, and to turn, fix one or give the contact friction, unless no load drives it there"
}
