package solver

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Contact forces averaged over time. A row of the history holds the mean since
// the row before: under a stiff law bodies rattle many times between two rows,
// and the force at one moment says little, where means add up to the impulse.

// MeanState is what the contacts have carried since the last row.
type MeanState struct {
	RowTime  float64   // time of the last row [s]
	Impulses []float64 // of the contacts since then, in the order of carry [N s], [N m s]
	Borne    []float64 // and their forces as last evaluated [N], [N m]
}

func (m *MeanState) parts() []Part {
	return []Part{{"row_time", &m.RowTime}, {"impulses", m.Impulses}, {"borne", m.Borne}}
}

// MeanForce is what a contact has carried on the mean since the last row; now,
// where no time has passed.
type MeanForce struct {
	Name               string
	Normal, Tangential float64 // sums of normal and friction forces [N]
	Surfaces           bool    // it has a Push
	Moment             float64 // of Push, about the origin [N m]
	Push               r2.Vec  // resultant on the contactor, or where that is the opposite, too, on the body that comes first [N]
}

// forceComponents is the number of components that are kept of a contact: the
// sums of normal and of friction forces, the resultant's two and its moment.
const forceComponents = 5

// means tell what contacts and supports have carried on the mean since the last row.
type means struct {
	view
	*State
	*kinds
	contacting []contacting      // in the order of results
	holding    []supporting      // in the order of results
	doReact    func(*reaction)   // react, made once
	reacting   int               // the number of the support that it is told of
	doLoad     func(contactLoad) // addImpulse, made once
	bearing    int               // the position of the contact that it is told of
}

// addMeans makes room for what the contacts carry.
func (k *means) addMeans() {
	contacts := 0
	k.eachContact(func(contactLoad) { contacts += forceComponents })
	k.Impulses, k.Borne = make([]float64, contacts), make([]float64, contacts)
	k.doLoad = k.addImpulse
}

// contactLoad is the forces of one contact at a moment.
type contactLoad struct {
	name               string
	surfaces           bool // it has a push
	part               bool // it belongs to the contact before
	normal, tangential float64
	push               r2.Vec
	moment             float64 // of push
}

// eachContact calls the function with the forces of every contact at Time.
func (s *means) eachContact(each func(contactLoad)) {
	for _, k := range s.contacting {
		k.eachContact(each)
	}
}

// addImpulses adds the forces as last evaluated, which the last step led to,
// those of the supports, too.
func (k *means) addImpulses() {
	k.reactions()
	k.bearing = 0
	k.eachContact(k.doLoad)
}

// addImpulse adds the forces of a contact.
func (s *means) addImpulse(b contactLoad) {
	for k, f := range [forceComponents]float64{b.normal, b.tangential, b.push.X, b.push.Y, b.moment} {
		i := s.bearing + k
		s.Impulses[i] += float64(0.5 * s.Last * (s.Borne[i] + f))
		s.Borne[i] = f
	}
	s.bearing += forceComponents
}

// MeanForces returns the contacts' means since the last row, those in parts as
// one.
func (s *means) MeanForces() []MeanForce {
	var out []MeanForce
	i := 0
	s.eachContact(func(b contactLoad) {
		if !b.part {
			out = append(out, MeanForce{Name: b.name, Surfaces: b.surfaces})
		}
		f, mean := &out[len(out)-1], [forceComponents]float64{}
		for k := range mean {
			mean[k] = s.Borne[i+k]
			if since := s.Time - s.RowTime; since > 0 {
				mean[k] = s.Impulses[i+k] / since
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

// row begins the means of the next row.
func (k *means) row() {
	clear(k.Impulses)
	k.rowReactions()
	k.RowTime = k.Time
}
