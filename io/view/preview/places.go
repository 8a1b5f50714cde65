package preview

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fdem/io/view"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// places finds what a line of check speaks of.
type places struct {
	boxes  map[string][4]float64 // by name; looked up only
	lines  map[string]int        // of the deck, by kind of block and name, or by name alone; looked up only
	mesh   *mesh.Mesh
	centre r2.Vec
	deck   string
}

// none is an empty box.
var none = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func grown(b [4]float64, x, y float64) [4]float64 {
	return [4]float64{min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)}
}

// newPlaces collects the names of a model, and sets the lines of its symbols.
func newPlaces(m *view.Model, of *mesh.Mesh, centre r2.Vec) *places {
	p := &places{boxes: map[string][4]float64{}, lines: linesOf(m.Text), mesh: of, centre: centre, deck: m.Deck}
	nodes := func(name string, nodes []int32) {
		if len(nodes) == 0 {
			return
		}
		b := none
		for _, n := range nodes {
			b = grown(b, of.X[n].X-centre.X, of.X[n].Y-centre.Y)
		}
		p.boxes[name] = b
	}
	for _, g := range of.Groups {
		nodes(g.Name, g.Nodes)
	}
	for i := range of.Bodies {
		nodes(of.Bodies[i].Name, of.Bodies[i].Nodes)
	}
	for i := range m.Symbols {
		s := &m.Symbols[i]
		s.Line = p.line(s.Kind, s.Name)
		if _, known := p.boxes[s.Name]; known || len(s.At)+len(s.Lines) == 0 {
			continue
		}
		b := none
		for _, list := range [][]float64{s.At, s.Lines} {
			for k := 0; k+1 < len(list); k += 2 {
				b = grown(b, list[k], list[k+1])
			}
		}
		p.boxes[s.Name] = b
	}
	return p
}

var (
	header = regexp.MustCompile(`^\s*\[\[?\s*([a-z_]+)`)
	quoted = regexp.MustCompile(`"([^"\\]+)"`)
	named  = regexp.MustCompile(`^\s*(name|on|in|contactor)\s*=`)
)

// linesOf returns the line of a deck's blocks by their kinds and names.
func linesOf(text string) map[string]int {
	out := map[string]int{}
	block, number, first := "", 0, 0
	for line := range strings.Lines(text) {
		number++
		if h := header.FindStringSubmatch(line); h != nil {
			block, first = h[1], number
			if _, known := out[block]; !known {
				out[block] = number
			}
			continue
		}
		if !named.MatchString(line) {
			continue
		}
		for _, q := range quoted.FindAllStringSubmatch(line, -1) {
			for _, key := range []string{block + " " + q[1], q[1]} {
				if _, known := out[key]; !known {
					out[key] = first
				}
			}
		}
	}
	return out
}

// line returns the line of a block of the deck, 0 for none.
func (p *places) line(kind, name string) int {
	switch kind {
	case "stress":
		kind = "initial_stress"
	case "gravity":
		return p.lines["analysis"]
	case "hole", "velocity":
		kind = "body"
	}
	if n := p.lines[kind+" "+name]; n > 0 {
		return n
	}
	if n := p.lines[name]; n > 0 || kind != "contact" {
		return n
	}
	for i := range name { // a contact without a name is called after its two sides
		if n := p.lines["contact "+name[:i]]; n > 0 && name[i] == '-' {
			return n
		}
	}
	return 0
}

var (
	triangle = regexp.MustCompile(`(?:triangle|element) (\d+)`)
	node     = regexp.MustCompile(`node (\d+)`)
	position = regexp.MustCompile(`\((-?[\d.e+-]+), (-?[\d.e+-]+)\) m(?:[^/\w]|$)`)
	inDeck   = regexp.MustCompile(`\.toml:(\d+):\d+`)
	first    = regexp.MustCompile(`^(?:warning: )?([a-z]+)(?: of| in)? "`)
)

// blocks are those that lines of check without a name speak of, by how they begin.
var blocks = []struct{ begins, block string }{
	{"initial stress", "initial_stress"}, {"heat", "heat"}, {"output", "output"},
	{"light damping", "analysis"}, {"step", "analysis"}, {"static", "analysis"}, {"about", "analysis"}, {"the step is set by cracks", "fracture"},
}

// all returns lines with their places; what is indented belongs to the line before it.
func (p *places) all(lines []string) (out []view.Said) {
	above := view.Said{}
	for _, line := range lines {
		s := p.said(line, "")
		if strings.HasPrefix(s.Text, "  ") {
			if s.Line == 0 && s.Box == nil {
				s.Line, s.Box = above.Line, above.Box
			}
		} else {
			above = s
		}
		out = append(out, s)
	}
	return out
}

// said returns a line with its place.
func (p *places) said(text, kind string) view.Said {
	s := view.Said{Text: strings.TrimRight(text, "\n"), Kind: kind}
	if rest, is := strings.CutPrefix(s.Text, "warning: "); is {
		s.Text, s.Kind = rest, "warning"
	}
	if rest, is := strings.CutPrefix(s.Text, "error: "); is {
		s.Text, s.Kind = rest, "error"
	}
	if n := inDeck.FindStringSubmatch(text); n != nil {
		s.Line, _ = strconv.Atoi(n[1])
	}
	block := ""
	for _, b := range blocks {
		if strings.HasPrefix(s.Text, b.begins) && s.Line == 0 {
			s.Line = p.lines[b.block]
		}
	}
	if b := first.FindStringSubmatch(text); b != nil {
		block = b[1]
	}
	for _, q := range quoted.FindAllStringSubmatch(text, -1) {
		if s.Line == 0 {
			s.Line = p.line(block, q[1])
		}
		if b, known := p.boxes[q[1]]; known && s.Box == nil {
			s.Box = &b
		}
	}
	if t := triangle.FindStringSubmatch(text); t != nil {
		id, _ := strconv.Atoi(t[1])
		if i := slices.Index(p.mesh.TriID, int32(id)); i >= 0 {
			b := none
			for _, n := range p.mesh.Triangles[i] {
				b = grown(b, p.mesh.X[n].X-p.centre.X, p.mesh.X[n].Y-p.centre.Y)
			}
			s.Box, s.Element = &b, int64(id)
		}
	} else if x := position.FindStringSubmatch(text); x != nil {
		a, _ := strconv.ParseFloat(x[1], 64)
		b, _ := strconv.ParseFloat(x[2], 64)
		s.Box = &[4]float64{a - p.centre.X, b - p.centre.Y, a - p.centre.X, b - p.centre.Y}
	} else if n := node.FindStringSubmatch(text); n != nil {
		id, _ := strconv.Atoi(n[1])
		if i := slices.Index(p.mesh.NodeID, int32(id)); i >= 0 {
			x := r2.Sub(p.mesh.X[i], p.centre)
			s.Box = &[4]float64{x.X, x.Y, x.X, x.Y}
		}
	}
	return s
}
