package checkpoint

import (
	"testing"

	"fdem/contactnodes/spheres"
	"fdem/materials/contact"
	models "fdem/solver/model"
)

// The laws of contacts, of contacts by volume and of particles have
// fingerprints, which a changed parameter changes and nothing else does.
func TestLawsHaveFingerprints(t *testing.T) {
	law := func(name string, values map[string]float64) contact.Law {
		m, ok := contact.Lookup(name)
		if !ok {
			t.Fatalf("there is no law %s", name)
		}
		l, err := m.Build(values)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	model := func(k, a, e float64) *models.Model {
		m := &models.Model{
			Contacts: []models.SurfaceContact{{Name: "floor", Law: law("linear", map[string]float64{"k": k})}},
			ByVolume: []models.VolumeContact{{Name: "felt", Law: contact.Volumetric{K: 1e9, A: a}}},
		}
		m.Particles.Interactions = []string{"balls", "balls and wall"}
		m.Particles.Predicted = [][2]int32{{0, 0}, {0, 1}, {1, 1}}
		m.Particles.RuleOf = func(a, b int32) (*spheres.Rule, error) {
			if a == 1 && b == 1 {
				return nil, nil
			}
			return &spheres.Rule{Interaction: b, Law: law("hunt-crossley", map[string]float64{"radius": 1e-3, "modulus": 1e11, "restitution": e - 0.1*float64(b)})}, nil
		}
		return m
	}
	first := Laws(model(1e12, 0.1, 0.9))
	if len(first) != 4 || first[2].Answers == first[3].Answers {
		t.Fatalf("the laws are %v", first)
	}
	for i, same := range Laws(model(1e12, 0.1, 0.9)) {
		if same != first[i] {
			t.Errorf("the same law %v is %v", first[i], same)
		}
	}
	for i, other := range Laws(model(2e12, 0.2, 0.8)) {
		if other.Contact != first[i].Contact || other.Answers == first[i].Answers {
			t.Errorf("another law has the fingerprint %v", other)
		}
	}
}
