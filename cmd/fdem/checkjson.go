package main

import (
	"encoding/json"
	"io"

	"fdem/io/curves"
	"fdem/solver"
)

// checked is the output of fdem check --json, in SI units.
type checked struct {
	Title        string           `json:"title"`
	Deck         string           `json:"deck"`
	Mesh         string           `json:"mesh,omitempty"`
	Warnings     []string         `json:"warnings"`
	Analysis     string           `json:"analysis"` // "dynamic" or "static"
	Elements     int              `json:"elements"`
	Nodes        int              `json:"nodes"`
	ContactNodes int              `json:"contact_nodes"`
	Bodies       []checkedBody    `json:"bodies"`
	Contacts     []checkedContact `json:"contacts"`
	Fracture     []checkedRegion  `json:"fracture"`
	Curves       []string         `json:"curves"`
	Results      []string         `json:"results"`
	Quality      *checkedQuality  `json:"quality,omitempty"`
	Duration     float64          `json:"duration"`
	Step         float64          `json:"step"`
	Steps        float64          `json:"steps"`
	Seconds      float64          `json:"seconds,omitempty"` // approximate, with contact, cracks and output
	Memory       int              `json:"memory"`            // [bytes], about
	Output       float64          `json:"output"`            // [bytes], about
	Frames       float64          `json:"frames"`
	Rows         float64          `json:"rows"` // rows of the history
}

type checkedBody struct {
	Name string  `json:"name"`
	Kind string  `json:"kind"`
	Made string  `json:"made"` // in words
	Mass float64 `json:"mass"`
}

type checkedContact struct {
	Name      string  `json:"name"`
	Law       string  `json:"law"`
	Friction  float64 `json:"friction"`
	Contactor int     `json:"contactor_edges,omitempty"`
	Opposite  int     `json:"opposite_edges,omitempty"`
	Bodies    [2]int  `json:"bodies,omitzero"` // of contact by impulses, on its sides
}

type checkedQuality struct {
	Worst         float64 `json:"worst"`
	WorstTriangle int32   `json:"worst_triangle"`
	Mean          float64 `json:"mean"`
	SmallestAngle float64 `json:"smallest_angle"` // [rad]
	ShortestEdge  float64 `json:"shortest_edge"`
	LongestEdge   float64 `json:"longest_edge"`
}

// checkedRegion holds the edges of a body that can break, or of a joint.
type checkedRegion struct {
	Name      string  `json:"name"`
	Joint     bool    `json:"joint"`
	Edges     int     `json:"edges"`
	Length    float64 `json:"characteristic_length,omitempty"`
	Zone      float64 `json:"cohesive_zone,omitempty"`
	LeastStep float64 `json:"least_step,omitempty"` // of the step of the whole bodies, whatever breaks
}

// checkFracture returns the data of the regions that can break.
func checkFracture(s *solver.Solver) []checkedRegion {
	regions := []checkedRegion{}
	k := s.Model.Fracture
	if k == nil {
		return regions
	}
	for i, f := range k.Sizes {
		r := checkedRegion{Name: f.Where, Joint: k.Joints[i], Edges: f.Breakable}
		if !r.Joint && f.Breakable > 0 {
			r.Length, r.Zone, r.LeastStep = f.Length, f.Zone, s.CrackStep(i)
		}
		regions = append(regions, r)
	}
	return regions
}

// writeCheckJSON prints the data of a model before a run as one JSON object.
func writeCheckJSON(out io.Writer, in *input, s *solver.Solver, computed *curves.Set, began float64) error {
	m := in.model
	c := checked{
		Title: orStem(m.Title, in.stem), Deck: in.deckPath, Mesh: in.meshPath, Warnings: append([]string{}, in.warned(s)...), Analysis: "dynamic",
		Elements: s.Elements(), Nodes: s.Nodes(), ContactNodes: s.ContactNodes(),
		Bodies: []checkedBody{}, Contacts: []checkedContact{}, Fracture: checkFracture(s), Curves: []string{}, Results: []string{},
		Duration: s.Duration, Step: s.Limit, Memory: s.Bytes(),
	}
	motions := s.Motions()
	for i, d := range s.Describe() {
		c.Bodies = append(c.Bodies, checkedBody{d.Name, d.Kind, d.Made, motions[i].Mass})
	}
	for _, k := range m.Contacts {
		c.Contacts = append(c.Contacts, checkedContact{k.Name, k.LawName, k.Friction.Kinetic, len(k.Contactor), len(k.Opposite), [2]int{}})
	}
	if m.Impulses != nil {
		for _, k := range m.Impulses.Contacts {
			c.Contacts = append(c.Contacts, checkedContact{Name: k.Name, Law: "impulses", Friction: k.Friction, Bodies: [2]int{len(k.Contactor), len(k.Opposite)}})
		}
	}
	for _, k := range computed.Curves {
		c.Curves = append(c.Curves, k.Name)
	}
	for _, r := range computed.Results {
		c.Results = append(c.Results, r.Name)
	}
	if len(m.Mesh.Triangles) > 0 {
		q := m.Mesh.Quality()
		c.Quality = &checkedQuality{q.Worst, q.WorstTriangle, q.Mean, q.SmallestAngle, q.ShortestEdge, q.LongestEdge}
	}
	if m.Static != nil {
		c.Analysis, c.Step = "static", m.Static.Increment
	}
	f, err := predict(in, s, computed, began)
	if err != nil {
		return err
	}
	c.Seconds, c.Steps, c.Output, c.Frames, c.Rows = f.Seconds, f.Steps, f.Bytes(), f.Frames, f.Rows
	return writeJSON(out, c)
}

// writeJSON prints a value as indented JSON.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
