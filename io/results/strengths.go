package results

import (
	"encoding/json"
	"os"
	"path/filepath"

	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/solver"
)

// strengthsName is the file with the strength of each body, by which io/view tells how much of it a
// stress uses.
const strengthsName = "strengths.json"

// strength is that of a body: of its material, of the planes that may break, or both.
type strength struct {
	Law    *bulk.Strength     `json:"law,omitempty"`
	Planes *cohesive.Strength `json:"planes,omitempty"`
}

// writeStrengths writes the strengths of the bodies into dir, where one has any. Of several laws of fracture
// in a body the weakest counts, without scatter.
func writeStrengths(dir string, s *solver.Solver) error {
	m := s.Model
	all, some := make([]*strength, len(m.Bodies)), false
	for i := range m.Bodies {
		if of := m.Materials[m.Bodies[i].Material].Strength(); of != nil {
			all[i], some = &strength{Law: of}, true
		}
	}
	if f := m.Fracture; f != nil {
		body := m.Mesh.BodyOf()
		for _, e := range f.Edges {
			if e.Region < 0 || body[e.A] != body[e.B] || f.Joints != nil && f.Joints[e.Region] || f.Regions[e.Region].Law == nil {
				continue
			}
			b, of := body[e.A], f.Regions[e.Region].Law.Strength
			if all[b] == nil {
				all[b], some = &strength{}, true
			}
			if p := all[b].Planes; p == nil || of.Tension < p.Tension {
				all[b].Planes = &of
			}
		}
	}
	if err := writeSections(dir, s); err != nil {
		return err
	}
	if !some {
		return nil
	}
	if err := writeProbed(dir, s, all); err != nil {
		return err
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, strengthsName), data, 0o644)
}

// probesName is the file with the strength at each probe of stress, by which io/view draws envelopes.
const probesName = "probes.json"

// writeProbed writes the strengths of the bodies in which probes of stress are, by the probe's name.
func writeProbed(dir string, s *solver.Solver, of []*strength) error {
	at := map[string]*strength{}
	for i := range s.Model.Probes {
		p := &s.Model.Probes[i]
		if p.Quantity != "stress" || p.Region == nil || len(p.Region.Triangles) == 0 {
			continue
		}
		t := p.Region.Triangles[0]
		for b := range of {
			if body := &s.Model.Mesh.Bodies[b]; t >= body.First && t < body.End && of[b] != nil {
				at[p.Name] = of[b]
			}
		}
	}
	if len(at) == 0 {
		return nil
	}
	data, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, probesName), data, 0o644)
}

// sectionsName is the file with the sections and strengths of beams, by which io/view draws what they bear.
const sectionsName = "sections.json"

// section is the section of a body of beams, with its strength.
type section struct {
	Name        string  `json:"name"`
	Body        int     `json:"body"`
	Width       float64 `json:"width"`       // out of the plane [m]
	Height      float64 `json:"height"`      // [m]
	Compression float64 `json:"compression"` // strength [Pa]
	Tension     float64 `json:"tension"`     // strength [Pa]
}

// writeSections writes the sections of the beams that have a strength.
func writeSections(dir string, s *solver.Solver) error {
	var all []section
	for i := range s.Model.Bodies {
		if b := &s.Model.Bodies[i]; b.Strength[0] > 0 {
			all = append(all, section{b.Name, i, b.Width, b.Height, b.Strength[0], b.Strength[1]})
		}
	}
	if all == nil {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, sectionsName), data, 0o644)
}
