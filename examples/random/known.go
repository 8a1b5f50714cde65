package random

import "slices"

// Known is a defect that is known and stays for now: what fails so is told, and does not fail
// the tests. There is no other list.
type Known struct {
	Check, Of string // "" of a check's only quantity
	In        func(m *Model) bool
	Why       string
}

// overlapping tells whether bodies overlap at the start.
func overlapping(m *Model) bool { b := m.block("contact"); return b != nil && b.key("overlap") != "" }

// lightlyDamped tells whether whole bodies have light damping: under weight, where the deck gives none.
func lightlyDamped(m *Model) bool {
	a := m.block("analysis")
	return a.key("gravity") != "" && a.key("damping") == "" && !m.byImpulses()
}

// oneSide tells whether a contact on both sides names one side of a corner only, beside joints or cracks.
func oneSide(m *Model) bool {
	b := m.block("contact")
	return b != nil && b.key("two_sided") == "true" && (b.key("contactor") == `"foot"` || b.key("opposite") == `"foot"`) && (m.has("joint") || m.has("fracture"))
}

// brokenOnPolygon tells whether bodies that break meet a rigid polygon.
func brokenOnPolygon(m *Model) bool {
	b := m.block("rigid")
	return b != nil && b.key("shape") == `"polygon"` && m.has("fracture")
}

// dampedFragments tells whether fragments meet others by contact nodes with a dashpot.
func dampedFragments(m *Model) bool {
	law := m.block("law")
	return law != nil && law.key("c") != "" && m.has("fracture", "joint")
}

// drivenAmongRigids tells whether bodies that meet by impulses are driven.
func drivenAmongRigids(m *Model) bool {
	return m.byImpulses() && slices.ContainsFunc(m.Deck, func(b Block) bool { return b.Name == "rigid" && b.key("motion") != "" })
}

// meetingBeams tells whether beams meet others with their ends: those that fall or stand.
func meetingBeams(m *Model) bool {
	return slices.ContainsFunc(m.Deck, func(b Block) bool { return b.Name == "beam" && b.key("interface") == "" })
}

var known = []Known{
	{"error", "*solver.CollapseError", drivenAmongRigids, "a piece that friction draws into a gap between what is driven and what is fixed has nowhere to go: its impulses have no bound, and the run ends with the names of the two bodies"},
	{"fall", "damping_dissipated", lightlyDamped, "the light damping of whole bodies follows smoothed accelerations: beside a force that rises along the motion it gives first, 0.3 to 1 % of the kinetic energy, and takes later; where it may not give, blocks that slide begin to chatter"},
	{"fall", "contact_dissipated", dampedFragments, "where two edges of a fragment meet at a corner below a contact node each has half of its area: as one of them turns away the other takes all at once, without work"},
	{"ledger", "", brokenOnPolygon, "blocks of a few triangles that break on a rigid polygon change up to 5 % of the energy whatever the step; that it is the corners of fragments above contact nodes is not shown"},
	{"error", "*solver.UnstableError", oneSide, "where bodies may part contact nodes press, and with two_sided those of the other body lose what is inside a corner of which the contact names one side as it passes to the other one"},
	{"error", "*solver.UnstableError", overlapping, "what is subtracted of an overlap, or pressed apart, changes as contact of triangles takes over from contact of edges"},
	{"error", "*solver.UnstableError", meetingBeams, "contact nodes at the ends of the edges of a beam gain energy"},
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
