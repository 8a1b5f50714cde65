package output

import (
	"slices"

	"fdem/solver/constraints"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact forces averaged over time. A row of the history has the mean since
// the previous row. With a stiff law bodies vibrate many times between two
// rows. The force at one instant then says little, while means add up to the
// impulse.

// MeanState is the impulses of the contacts since the last row.
type MeanState struct {
	rowTime    float64   // time of the last row [s]
	impulses   []float64 // impulses of the contacts since then, in the order of eachContact [N s], [N m s]
	lastForces []float64 // their forces at the last evaluation [N], [N m]
}

func (m *MeanState) StateParts() []system.Part {
	return []system.Part{{Name: "row_time", Values: &m.rowTime}, {Name: "impulses", Values: m.impulses}, {Name: "borne", Values: m.lastForces}}
}

// MeanForce is the mean force of a contact since the last row, or the present
// force if no time has passed.
type MeanForce struct {
	Name               string
	Normal, Tangential float64 // sums of normal and friction forces [N]
	Surfaces           bool    // the contact has a Push
	Moment             float64 // of Push, about the origin [N m]
	Push               r2.Vec  // resultant on the contactor, or on the first body if contactor and opposite are the same [N]
}

// forceComponents is the number of components per contact: the sums of normal
// and of friction forces, the two of the resultant and its moment.
const forceComponents = 5

// Means are the mean forces of contacts and supports since the last row.
type Means struct {
	system.View
	*MeanState
	*constraints.ReactionState
	contacting []system.Contacting      // in the order of results
	holding    []system.Supporting      // in the order of results
	doReact    func(*system.Reaction)   // react, made once
	reacting   int                      // the number of the present support
	doLoad     func(system.ContactLoad) // addImpulse, made once
	position   int                      // the position of the present contact
}

// NewMeans makes the means of the contacts in the order of results, and of the supports among the
// kinds of the run.
func NewMeans(of system.View, state *MeanState, reactions *constraints.ReactionState, contacting []system.Contacting, systems []system.System) *Means {
	k := &Means{View: of, MeanState: state, ReactionState: reactions, contacting: contacting, holding: slices.Collect(system.All[system.Supporting](systems))}
	contacts := 0
	k.eachContact(func(system.ContactLoad) { contacts += forceComponents })
	k.impulses, k.lastForces = make([]float64, contacts), make([]float64, contacts)
	k.doLoad = k.addImpulse
	k.addReactions()
	return k
}

// eachContact calls the function with the forces of every contact at Time.
func (s *Means) eachContact(each func(system.ContactLoad)) {
	for _, k := range s.contacting {
		k.EachContact(each)
	}
}

// AddImpulses adds the impulses of the last step, from the forces as last
// evaluated, also for the supports.
func (k *Means) AddImpulses() {
	k.reactions()
	k.position = 0
	k.eachContact(k.doLoad)
}

// addImpulse adds the impulse of a contact.
func (s *Means) addImpulse(b system.ContactLoad) {
	for k, f := range [forceComponents]float64{b.Normal, b.Tangential, b.Push.X, b.Push.Y, b.Moment} {
		i := s.position + k
		s.impulses[i] += s.between(s.lastForces[i], f)
		s.lastForces[i] = f
	}
	s.position += forceComponents
}

// between returns the impulse of a force in the last step, from its values before and after it. Forces of
// contact by impulses are means of the step already.
func (s *Means) between(before, after float64) float64 {
	if s.Model.Impulses != nil {
		return s.Last * after
	}
	return float64(0.5 * s.Last * (before + after))
}

// MeanForces returns the mean forces of the contacts since the last row. Parts
// of one contact are added up.
func (s *Means) MeanForces() []MeanForce {
	var out []MeanForce
	i := 0
	s.eachContact(func(b system.ContactLoad) {
		if !b.Part {
			out = append(out, MeanForce{Name: b.Name, Surfaces: b.Surfaces})
		}
		f, mean := &out[len(out)-1], [forceComponents]float64{}
		for k := range mean {
			mean[k] = s.lastForces[i+k]
			if since := s.Time - s.rowTime; since > 0 {
				mean[k] = s.impulses[i+k] / since
			}
		}
		i += forceComponents
		f.Normal += mean[0]
		f.Tangential += mean[1]
		f.Push = r2.Add(f.Push, r2.Vec{X: mean[2], Y: mean[3]})
		f.Moment += mean[4]
	})
	return out
}

// EndRow restarts the means for the next row.
func (k *Means) EndRow() {
	clear(k.impulses)
	k.rowReactions()
	k.rowTime = k.Time
}

// ContactForces returns the contacts as evaluated last. The parts of a contact are added up.
func (s *Means) ContactForces() []system.ContactForce {
	var out []system.ContactForce
	for _, k := range s.contacting {
		out = k.ContactForces(out)
	}
	return out
}
