package forces

import (
	"slices"

	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Springs that come and go. Before its time of installation a spring has no force. Then the
// positions of its ends are those without load: extensions and rotations count from there. A preload
// pulls from then on (in a static analysis in the increment that follows), and the energy that it
// stores is work from outside. A spring that is taken out fades: with a factor s on the force, the
// stored energy S is s S, and S ds is work from outside.
// The bound of the stable step has all springs from the start.

// stages says how a spring comes and goes.
type stages struct {
	source system.Source // of what it stores when it comes and gives when it goes
	share  float64       // factor of its forces at the last evaluation
}

// StageState is the state of springs that come and go.
type StageState struct {
	Begun   []bool    // per Spring: it is installed
	Origins []float64 // extension of each unit at its installation, from its length without load, or from the start [m]
	Turned  []float64 // rotation of each torsion then [rad]
	Held    []float64 // per Spring: stored energy without the factor [J], and the factor, at the end of the last step
	Shares  []float64
}

// staged tells whether a spring comes or goes during the run.
func staged(p *models.Spring) bool { return p.From > 0 || p.Until > 0 }

// Staged tells whether some spring comes or goes during the run.
func (k *Springs) Staged() bool {
	return slices.ContainsFunc(k.Model.Springs, func(p models.Spring) bool { return staged(&p) })
}

// isThere tells whether a spring has been installed, and not been taken out.
func (k *Springs) isThere(i int) bool {
	p := &k.Model.Springs[i]
	return k.state.Begun[i] && models.Remaining(k.Time, p.Until, p.Fade) > 0
}

// makeStages prepares the springs that come and go.
func (k *Springs) makeStages() {
	n := len(k.Model.Springs)
	k.stages = make([]stages, n)
	k.state.StageState = StageState{make([]bool, n), make([]float64, len(k.Units)), make([]float64, len(k.torsions)), make([]float64, n), make([]float64, n)}
	for i := range k.Model.Springs {
		if p := &k.Model.Springs[i]; staged(p) {
			k.stages[i].source = k.Ledger.Source("spring " + p.Name)
		}
		k.state.Begun[i] = k.Model.Springs[i].From == 0
		k.state.Shares[i] = 1
	}
}

// choose sets the factor of each spring at Time. With commit it installs those whose time has come,
// so that extensions count from here.
func (k *Springs) choose(commit bool) {
	for i := range k.stages {
		p, h := &k.Model.Springs[i], &k.stages[i]
		comes := commit && !k.state.Begun[i] && k.Time >= p.From
		if comes {
			k.install(i)
		}
		if h.share = models.Remaining(k.Time, p.Until, p.Fade); !k.state.Begun[i] || comes && k.Static != nil {
			h.share = 0
		}
	}
}

// install lets the extensions and rotations of a spring count from the present positions.
func (k *Springs) install(i int) {
	b, stored, half := &k.results[i], 0.0, 0.0
	for j := b.units[0]; j < b.units[1]; j++ {
		u := &k.Units[j]
		k.state.Origins[j] = 0
		k.measure(j, k.between(u))
		k.state.Origins[j] = u.Extent
		k.measure(j, k.between(u))
		stored += u.stored
		rate := r2.Sub(k.velocity(&u.Ends[1]), k.velocity(&u.Ends[0]))
		half += float64(0.5 * k.Last * u.elastic * elementary.Dot(rate, u.Normal)) // leapfrog's kick begins half a step ago
	}
	for j := b.turns[0]; j < b.turns[1]; j++ {
		k.state.Turned[j] = k.angle(&k.torsions[j].Ends[1]) - k.angle(&k.torsions[j].Ends[0])
	}
	k.state.Begun[i], k.state.Held[i], k.state.Shares[i] = true, stored, 0
	if k.Static == nil {
		k.Ledger.Record(k.stages[i].source, stored-half)
		k.state.Shares[i] = 1
	}
}

// fade multiplies what a unit has at the last evaluation by a factor.
func (u *unit) fade(by float64) {
	u.Force, u.elastic, u.slope, u.stored = by*u.Force, by*u.elastic, by*u.slope, by*u.stored
}

// takeOut records the work of the factors of springs in the last step.
func (k *Springs) takeOut() {
	for i := range k.stages {
		p := &k.Model.Springs[i]
		if !staged(p) || !k.state.Begun[i] {
			continue
		}
		now, stored := k.stages[i].share, k.whole[i]
		k.Ledger.Record(k.stages[i].source, float64(0.5*(stored+k.state.Held[i])*(now-k.state.Shares[i])))
		k.state.Held[i], k.state.Shares[i] = stored, now
	}
}
