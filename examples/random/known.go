package random

// Known is a defect that is known and stays for now: what fails so is told, and does not fail
// the tests. There is no other list.
type Known struct {
	Check, Of string // "" of a check's only quantity
	In        func(m *Model) bool
	Why       string
}

func always(*Model) bool { return true }

// with tells for models that have one of the blocks.
func with(names ...string) func(*Model) bool {
	return func(m *Model) bool { return m.has(names...) }
}

// overlapping tells whether bodies overlap at the start.
func overlapping(m *Model) bool { b := m.block("contact"); return b != nil && b.key("overlap") != "" }

// lightly tells whether a model has the light damping of bodies under gravity.
func lightly(m *Model) bool {
	b := m.block("analysis")
	return b.key("gravity") != "" && b.key("damping") == ""
}

var known = []Known{
	{"fall", "fracture_dissipated", always, "work that balances the stretch with which a point of a crack begins counts as stored again when the point releases more (fem/fracture, pointEnergies)"},
	{"fall", "damping_dissipated", lightly, "light damping takes its work by the velocity before the step"},
	{"fall", "contact_dissipated", overlapping, "an overlap that is ramped in"},
	{"ledger", "", overlapping, "after overlap = \"allow\" a part of the pressed energy is missing"},
	{"ledger", "", with("excavate"), "contact of triangles takes over from contact of edges with a jump (handover_work)"},
	{"ledger", "", (*Model).static, "a static body that slides or closes a gap under a load moves between two states of rest, and the work on the way is in no entry"},
	{"step", "", with("excavate"), "the same"},
	{"error", "*solver.UnstableError", overlapping, "the same as in the ledger"},
	{"error", "*solver.UnstableError", with("beam"), "contact nodes at the ends of the edges of a beam gain energy"},
	{"resume", "summary.json", always, "the start of some energies is not in checkpoints"},
	{"resume", "history.csv", with("fracture", "joint"), "the factor on the step after a first crack is no state"},
	{"resume", "state", with("fracture", "joint"), "the same"},
}

// Known returns why a fault is known, "" for a new one.
func (f *Fault) Known(m *Model) string {
	for _, k := range known {
		if k.Check == f.Check && k.Of == f.Of && k.In(m) {
			return k.Why
		}
	}
	return ""
}
