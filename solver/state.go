package solver

import (
	"errors"
	"fmt"
	"math"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"

	"gonum.org/v1/gonum/spatial/r2"
)

// State is all that changes during a run. Parts lists it for checkpoints.
type State struct {
	N     int64     // steps done
	Time  float64   // [s]
	Last  float64   // length of the step that led here [s]; 0 at the start
	X     []r2.Vec  // positions at Time [m]
	V     []r2.Vec  // velocities at Time - Last/2 [m/s]
	Theta []float64 // how far the nodes of beams have turned at Time, one per node [rad]; nil without beams
	Spin  []float64 // and their angular velocities at Time - Last/2 [rad/s]
	Poses []Pose    // of the rigid bodies

	Limit   float64 // longest step allowed at present, safety included [s]
	Planned float64 // step being taken, a whole number of which leads to Duration; 0 to choose anew [s]
	First   float64 // Limit at the start [s]
	Told    float64 // the step of which the log last told [s]
	Least   float64 // shortest limit since the last multiple of calm steps [s]
	Allowed float64 // and between the last two of them: what the step may grow to [s]
	Moving  float64 // greatest energy of motion so far [J]

	Heaviest float64 // greatest norm of the forces of a static analysis so far [N]
	// Factored is the stiffness matrix that the factor in use was made of, of
	// the pattern with this hash; empty where each matrix is factorised anew.
	Factored        []float64
	FactoredPattern int64

	// How often history rows, fields, contact nodes apart from them and
	// checkpoints were due so far, in multiples of the time between two.
	Rows, Frames, ContactFrames, Checkpoints float64

	Ledger    Ledger
	RowTime   float64                 // time of the last row [s]
	Impulses  []float64               // of the contacts since then, volumetric ones and interactions last, see mean.go [N s]
	Borne     []float64               // and their forces as last evaluated [N]
	PeakForce []float64               // greatest normal force so far, per contact of the model, volumetric ones last [N]
	Surfaces  []*contactnodes.Contact // one per contact of the model
	Volumes   []*volume.Contact       // one per volumetric contact of the model
}

// Part is a piece of the state under the name it has in a checkpoint.
type Part struct {
	Name string
	// Values is where the piece lives: *int64 or *float64 for a number,
	// []float64, []r2.Vec, []Pose or []bool where the model fixes how many
	// there are, *[]float64 or *[]int32 where that changes, too.
	Values any
}

// Parts lists all that changes during a run, in a fixed order: who adds
// something that outlives a step adds it here. What is missing is made by
// Restore, or by forces before anything reads it. The candidate lists of the
// search are missing because they never change a bit.
func (s *Solver) Parts() []Part {
	l := &s.Ledger
	parts := []Part{
		{"step", &s.N}, {"time", &s.Time}, {"last", &s.Last},
		{"positions", s.X}, {"velocities", s.V}, {"rotations", s.Theta}, {"spins", s.Spin}, {"poses", s.Poses},
		{"limit", &s.Limit}, {"planned", &s.Planned}, {"first", &s.First}, {"told", &s.Told}, {"least", &s.Least}, {"allowed", &s.Allowed}, {"moving", &s.Moving}, {"row_time", &s.RowTime}, {"impulses", s.Impulses}, {"borne", s.Borne}, {"heaviest", &s.Heaviest},
		{"factored", &s.Factored}, {"factored_pattern", &s.FactoredPattern},
		{"rows", &s.Rows}, {"frames", &s.Frames}, {"checkpoints", &s.Checkpoints},
		{"ledger.loads", &l.Loads}, {"ledger.damping", &l.Damping}, {"ledger.entered", &l.Entered}, {"ledger.one_step", &l.OneStep}, {"ledger.sources", l.Sources},
		{"watch.made", &l.Watch.Made}, {"watch.owed", &l.Watch.Owed}, {"watch.alarm", &l.Watch.Alarm}, {"watch.fastest", &l.Watch.Fastest}, {"watch.over", &l.Watch.Over},
		{"ledger.jump", &l.Jump}, {"ledger.jump_at", &l.JumpAt},
		{"peak_force", s.PeakForce},
		{"damping", s.damping}, // forces at the step's start, of which the ledger takes half
	}
	if s.beams != nil {
		parts = append(parts, Part{"damping_moment", s.beams.damping})
	}
	if s.ContactApart {
		parts = append(parts, Part{"contact_frames", &s.ContactFrames})
	}
	parts = append(parts, l.Start.parts("ledger.start.")...)
	for i, load := range s.loads {
		parts = append(parts, Part{fmt.Sprintf("load.%d.force", i), load.force}, Part{fmt.Sprintf("load.%d.moment", i), load.moment})
	}
	for i, c := range s.Surfaces {
		parts = append(parts, contactParts(fmt.Sprintf("contact.%d.", i), &c.State)...)
	}
	for i, c := range s.Volumes {
		parts = append(parts, volumeParts(fmt.Sprintf("volume.%d.", i), &c.State)...)
	}
	if s.spheres != nil {
		parts = append(parts, s.particleParts()...)
	}
	return parts
}

// parts lists the entries of a row of the ledger.
func (e *Energies) parts(prefix string) []Part {
	return []Part{
		{prefix + "kinetic", &e.Kinetic}, {prefix + "strain", &e.Strain},
		{prefix + "contact_stored", &e.ContactStored}, {prefix + "contact_dissipated", &e.ContactDissipated},
		{prefix + "friction_dissipated", &e.FrictionDissipated}, {prefix + "damping_dissipated", &e.DampingDissipated},
		{prefix + "external_work", &e.ExternalWork}, {prefix + "residual", &e.Residual},
	}
}

// contactParts lists what a contact remembers.
func contactParts(prefix string, c *contactnodes.State) []Part {
	return []Part{
		{prefix + "memory", c.Memory}, {prefix + "deflection", c.Deflection}, {prefix + "pressure", c.Pressure},
		{prefix + "traction", c.Traction}, {prefix + "held", c.Held}, {prefix + "spring", c.Spring}, {prefix + "slides", c.Slides},
		{prefix + "peak_pressure", c.PeakPressure}, {prefix + "share", c.Share}, {prefix + "shift", c.Shift}, {prefix + "offset", c.Offset},
		{prefix + "normal_work", &c.NormalWork}, {prefix + "friction_work", &c.FrictionWork},
		{prefix + "spring_energy", &c.SpringEnergy}, {prefix + "widest", &c.Widest}, {prefix + "ramp_work", &c.RampWork},
	}
}

// Restore makes what follows from the state, after someone has filled Parts.
// It fails for a state that no run leaves.
func (s *Solver) Restore() error {
	for _, c := range s.Surfaces {
		c.Restore()
	}
	if s.spheres != nil {
		if !s.kept.Whole() {
			return errors.New("pairs of particles remember less than they should")
		}
		s.spheres.Remember(s.kept)
	}
	if !(s.Limit > 0) || s.N < 0 || math.IsNaN(s.Time) {
		return fmt.Errorf("step %d, t = %g s with steps of %g s cannot be", s.N, s.Time, s.Limit)
	}
	return nil
}

// Replan lets a run go on under a model that is not the one of its checkpoint,
// after Restore: the step is chosen anew, nodes that are held from here on
// stop, and what the change has put into the state, as Standing tells it under
// the two models, is booked as external work [J].
func (s *Solver) Replan(gained float64) {
	s.halt()
	s.Ledger.Loads += gained
	s.Planned = 0
	s.Limit = min(s.rigidStep, math.MaxFloat64)
	if s.FixedStep > 0 {
		s.Limit = s.FixedStep
	}
	if s.static == nil {
		s.First = min(s.First, s.longest())
	}
}

// Standing returns the residual of the ledger [J] after Restore. It evaluates
// the forces, so the solver cannot go on from there; in a static analysis,
// where nothing is inert, it is 0.
func (s *Solver) Standing() (float64, error) {
	if s.static != nil {
		return 0, nil
	}
	s.halt()
	if err := s.forces(); err != nil {
		return 0, err
	}
	return s.Energies().Residual, nil
}

// halt stops what is held.
func (s *Solver) halt() {
	for i, m := range s.mass {
		if m == 0 {
			continue
		}
		if s.inverse[i].X == 0 {
			s.V[i].X = 0
		}
		if s.inverse[i].Y == 0 {
			s.V[i].Y = 0
		}
	}
	if s.beams != nil {
		for _, n := range s.beams.nodes {
			if s.beams.turning[n] == 0 {
				s.Spin[n] = 0
			}
		}
	}
}
