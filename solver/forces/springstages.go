package forces

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Springs that come and go. Before its time of installation a spring has no force. Then the
// positions of its ends are those without load: extensions and rotations count from there. A preload
// pulls from then on (in a static analysis in the increment that follows).

// installedState is the state of springs that are installed during the run.
type installedState struct {
	origins []float64 // extension of each unit at its installation, from its length without load, or from the start [m]
	Turned  []float64 // rotation of each torsion then [rad]
}

// Staged tells whether some spring comes or goes during the run.
func (k *Springs) Staged() bool { return k.state.Staged() }

// makeStages prepares the springs that come and go.
func (k *Springs) makeStages() {
	k.state.installedState = installedState{make([]float64, len(k.Units)), make([]float64, len(k.torsions))}
	for i := range k.list {
		p := &k.list[i]
		k.state.Add(&k.Ledger, "spring "+p.Name, &p.When)
		k.state.Begun[i] = p.From == 0
	}
}

// choose sets the factor of each spring at Time. With commit it installs those whose time has come,
// so that extensions count from here.
func (k *Springs) choose(commit bool) {
	for i := range k.list {
		comes := commit && k.state.Due(i, k.Time)
		if comes {
			k.install(i)
		}
		if k.state.Choose(i, k.Time); !k.state.Begun[i] || comes && k.Static != nil {
			k.state.Now[i] = 0
		}
	}
}

// install lets the extensions and rotations of a spring count from the present positions.
func (k *Springs) install(i int) {
	b, stored, half := &k.results[i], 0.0, 0.0
	for j := b.units[0]; j < b.units[1]; j++ {
		u := &k.Units[j]
		k.state.origins[j] = 0
		k.measure(j, u, k.between(u))
		k.state.origins[j] = u.extent
		k.measure(j, u, k.between(u))
		stored += u.stored
		rate := r2.Sub(k.velocity(&u.Ends[1]), k.velocity(&u.Ends[0]))
		half += float64(0.5 * k.Last * u.elastic * elementary.Dot(rate, u.Normal)) // leapfrog's kick begins half a step ago
	}
	for j := b.turns[0]; j < b.turns[1]; j++ {
		k.state.Turned[j] = k.angle(&k.torsions[j].Ends[1]) - k.angle(&k.torsions[j].Ends[0])
	}
	if k.Static != nil { // its forces come in the next increment
		k.state.Install(i, stored, 0, 0)
		return
	}
	if k.Model.Impulses != nil { // these take the forces in the middle of the next step
		half = 0
	}
	k.state.Install(i, stored, stored-half, 1)
}

// fade multiplies what a unit has at the last evaluation by a factor.
func (u *unit) fade(by float64) {
	u.Force, u.elastic, u.slope, u.stored = float64(by*u.Force), float64(by*u.elastic), float64(by*u.slope), float64(by*u.stored)
}
