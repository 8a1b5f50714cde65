package deck

import (
	"slices"

	"fdem/solver"
)

// intervals tells which distances of the output nobody gave: they are parts of
// the duration.
type intervals struct {
	fields, history, checkpoint bool
}

// set gives the model the intervals that nobody gave.
func (u intervals) set(m *solver.Model) {
	if u.fields {
		m.FieldsEvery = m.Duration / 100
		if m.Static != nil {
			m.FieldsEvery = max(m.FieldsEvery, m.Static.Increment)
		}
	}
	if u.history {
		m.HistoryEvery = m.Duration / 1000
	}
	if u.checkpoint {
		m.CheckpointEvery = m.Duration / 10
		if m.Static != nil {
			m.CheckpointEvery = m.Static.Smallest
		}
	}
}

// Until lets a run of the deck's model end at another time [s]: output at
// intervals that nobody gave comes as often as before.
func (d *Deck) Until(m *solver.Model, end float64) {
	m.Duration = end
	d.usual.set(m)
}

// fieldNames lists the fields that a frame can have, as results call them.
var fieldNames = []string{"displacement", "velocity", "contact_force", "stress", "von_mises", "rotation", "axial_force", "shear_force", "bending_moment"}

func (d *Deck) readOutput(t *table) {
	m := &d.model
	if m.Static != nil && t.has("history_every") {
		t.bad("history_every", "a static analysis writes a row of history for every increment: leave history_every out")
	}
	d.usual = intervals{!t.has("fields_every"), !t.has("history_every"), !t.has("checkpoint_every")}
	m.FieldsEvery = t.notNegative("fields_every", Time, 0, "s")
	m.HistoryEvery = t.notNegative("history_every", Time, 0, "s")
	m.CheckpointEvery = t.notNegative("checkpoint_every", Time, 0, "s")
	d.usual.set(m)
	m.ContactApart = t.has("contact_every")
	m.ContactEvery = t.notNegative("contact_every", Time, 0, "s")
	if t.has("fields") {
		d.Fields = []string{}
	}
	for _, v := range t.list("fields", 0) {
		name, ok := v.(string)
		if !ok || !slices.Contains(fieldNames, name) {
			t.bad("fields", "fields must be names of what frames can hold, %s, got %s%s", quoted(fieldNames), describe(v), nearest(name, fieldNames))
		}
		d.Fields = append(d.Fields, name)
	}
	d.Single = t.word("precision", "double", "double", "single") == "single"
	d.Large = t.flag("large", false)
	d.Compress = t.flag("checkpoint_compress", false)
	d.Pack = t.flag("fields_compress", true)
	t.done()
}
