package solver

import (
	"strings"
	"testing"

	"fdem/solver/bodies"
)

// A run reports where its time went, how much was checked, and what limited each step.
func TestProfile(t *testing.T) {
	m := oblique(t, kostek(t), 0.2)
	m.Duration = 60e-6
	s := start(t, m)
	run(t, s, nil)
	p := s.Profile()
	seconds := map[string]float64{}
	for _, f := range p.Phases {
		seconds[f.Name] = f.Seconds
	}
	for _, name := range []string{"triangles", "contact", "contact of edges", "narrow phase", "contact law", "friction", "contact forces", "move", "step length", "ledger"} {
		if !(seconds[name] > 0) {
			t.Errorf("no time for %q: %v", name, seconds)
		}
	}
	steps, causes := int64(0), map[string]string{}
	for _, l := range p.Limits {
		steps += l.Steps
		causes[l.Name] = l.Where
	}
	if steps != s.N {
		t.Errorf("causes for %d of %d steps", steps, s.N)
	}
	if where := causes[bodies.AtNode]; !strings.Contains(where, `"`+s.Model.Contacts[0].Name+`"`) && !strings.Contains(causes["triangles"], "triangle") {
		t.Errorf("causes %v", causes)
	}
	for _, c := range p.Counts {
		if c.Name == "contact nodes that touch" && !(c.Mean > 0) {
			t.Errorf("%+v", c)
		}
	}
}
