package contactnodes

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fdem/boundingbox"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// The pictures of docs/contact.md are drawn by the narrow phase itself:
//
//	go test ./contactnodes -run Pictures -pictures ../docs/contact
var pictures = flag.String("pictures", "", "folder to draw the manual's pictures into")

// drawing is one picture: bodies, the last of which carries contact nodes
// unless it stands alone, and what of it is shown.
type drawing struct {
	name         string
	bodies       []*mesh.Source
	outlines     []mesh.Outline
	regions      bool // colour what belongs to whom
	self         bool
	overlap      OverlapMode
	lo, hi       r2.Vec // what is shown
	inContact    int    // contact nodes that must touch, -1 for some
	ratherInside int    // contact nodes that lie inside and must not touch
}

func drawings() []drawing {
	block := func(name string, x, y, w, h float64) *mesh.Source {
		src := &mesh.Source{Name: name, NodeID: []int64{1, 2, 3, 4}, TriID: []int64{1, 2},
			X:         []r2.Vec{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}},
			Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}, Groups: []mesh.SourceGroup{{Name: name, Dim: 2, Number: 1, Elements: []int32{0, 1}}}}
		return src
	}
	tilted := func(src *mesh.Source, by float64, about r2.Vec) *mesh.Source {
		for i, x := range src.X {
			src.X[i] = r2.Rotate(x, by, about)
		}
		return src
	}
	spike := []float64{1, 0.45, 0.9, 0.6, 0.95, 0.5, 0.9, 0.42}
	dent := []float64{1, 0.9, 0.3, 0.9, 1, 0.95}
	return []drawing{
		{name: "convex", bodies: []*mesh.Source{star("a", r2.Vec{}, spike, 0.2), block("b", 1.03, 0.1, 0.5, 0.4)}, regions: true,
			lo: r2.Vec{X: -0.2, Y: -0.45}, hi: r2.Vec{X: 1.6, Y: 0.75}, inContact: 0},
		{name: "reentrant", bodies: []*mesh.Source{star("a", r2.Vec{}, dent, 0.5), star("b", r2.Vec{X: -1.135, Y: 0.576}, []float64{1, 0.45, 0.45, 0.8, 0.5, 0.45}, -0.45)}, regions: true,
			lo: r2.Vec{X: -1.25, Y: -0.3}, hi: r2.Vec{X: 0.55, Y: 0.9}, inContact: -1},
		{name: "grazing", bodies: []*mesh.Source{star("a", r2.Vec{}, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0), tilted(block("b", -1.2, 0.93, 2.4, 0.4), -0.07, r2.Vec{Y: 0.93})},
			lo: r2.Vec{X: -1.1, Y: 0.45}, hi: r2.Vec{X: 1.1, Y: 1.4}, inContact: -1},
		{name: "two-bodies", bodies: []*mesh.Source{block("a", -1, -1, 1.02, 1), tilted(block("c", -0.05, -1.02, 1, 1), 0.06, r2.Vec{}), block("b", -0.35, -0.08, 0.7, 0.5)},
			lo: r2.Vec{X: -0.7, Y: -0.5}, hi: r2.Vec{X: 0.7, Y: 0.45}, inContact: -1},
		{name: "deep", bodies: []*mesh.Source{block("a", -1, -0.6, 2, 0.6), tilted(block("b", -0.4, -0.26, 0.8, 0.5), 0.05, r2.Vec{})},
			lo: r2.Vec{X: -1.1, Y: -0.7}, hi: r2.Vec{X: 1.1, Y: 0.5}, regions: true, inContact: -1},
		{name: "overlap", bodies: []*mesh.Source{block("a", -1, -0.6, 2, 0.6), tilted(block("b", -0.4, -0.05, 0.8, 0.5), 0.05, r2.Vec{})}, overlap: OverlapSubtract,
			lo: r2.Vec{X: -1.1, Y: -0.5}, hi: r2.Vec{X: 1.1, Y: 0.6}, inContact: 0, ratherInside: 20},
		{name: "self", bodies: []*mesh.Source{star("a", r2.Vec{}, []float64{1, 0.12, 1, 0.12, 1, 0.12}, 0.3)}, self: true,
			lo: r2.Vec{X: -1, Y: -1}, hi: r2.Vec{X: 1, Y: 1}, inContact: 0},
		{name: "arcs", outlines: []mesh.Outline{circle("hollow", r2.Vec{}, -1, 16, 0.1), circle("disc", r2.Vec{X: -0.42, Y: -0.42}, 0.45, 12, 0)}, regions: true,
			lo: r2.Vec{X: -1.4, Y: -1.4}, hi: r2.Vec{X: 0.5, Y: 0.2}, inContact: -1},
		{name: "line", outlines: []mesh.Outline{{Name: "line", Points: []r2.Vec{{X: 0.5}, {X: -1}}, Depth: 0.3}}, bodies: []*mesh.Source{tilted(block("b", -0.1, -0.04, 1.2, 0.5), 0.02, r2.Vec{})}, regions: true,
			lo: r2.Vec{X: -1, Y: -0.4}, hi: r2.Vec{X: 1.2, Y: 0.6}, inContact: -1},
	}
}

// Every rule of the manual, as the narrow phase sees it.
func TestPictures(t *testing.T) {
	for _, d := range drawings() {
		t.Run(d.name, func(t *testing.T) {
			m := &mesh.Mesh{}
			if len(d.bodies) > 0 {
				m = build(t, join(d.bodies...))
			}
			m = m.With(d.outlines)
			o := NewOutline(m)
			last := int32(len(m.Bodies) - 1)
			if len(d.bodies) > 0 && len(d.outlines) > 0 {
				last = 0
			}
			var contactor, opposite []int32
			search := make([]boundingbox.Edge, len(m.Edges))
			for i, e := range m.Edges {
				search[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1, Self: 1}
				if e.Body == last || d.self {
					contactor = append(contactor, int32(i))
				}
				if e.Body != last || d.self {
					opposite = append(opposite, int32(i))
				}
			}
			c := byNodes(New(Config{Name: "t", Contactor: contactor, Opposite: opposite, Law: penalty(t, 1), Nodes: 20, Thickness: 1, Self: d.self,
				Friction: Friction{Speed: 1}, Overlap: Overlap{Mode: d.overlap}}, o, m.X, make([]float64, len(m.X))))
			pairs := boundingbox.New(search, o.Reach, 0).Pairs(m.X)
			if err := c.Begin(m.X, pairs); err != nil && d.name != "deep" {
				t.Fatal(err)
			} else if err == nil && d.name == "deep" {
				t.Error("a contact node past the depth was not refused")
			}
			inside := len(c.withOffset)
			c.subtractOverlap(0, 0, true)
			if got := len(c.points.nodes); d.name != "deep" && (d.inContact >= 0 && got != d.inContact || d.inContact < 0 && got == 0) || inside < d.ratherInside {
				t.Errorf("%d contact nodes touch, %d lie inside as allowed, want %d and %d", got, inside, d.inContact, d.ratherInside)
			}
			if *pictures != "" {
				svg := d.draw(m, o, c, opposite)
				if err := os.WriteFile(filepath.Join(*pictures, d.name+".svg"), svg, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func (d *drawing) draw(m *mesh.Mesh, o *Outline, c *Contact, opposite []int32) []byte {
	const width = 480.0
	scale := width / (d.hi.X - d.lo.X)
	height := scale * (d.hi.Y - d.lo.Y)
	x := func(p r2.Vec) (float64, float64) { return (p.X - d.lo.X) * scale, (d.hi.Y - p.Y) * scale }
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", width, height, width, height)
	fill := []string{"#dfe7f2", "#f3e3cf", "#e2efdc"}
	for i, body := range m.Bodies {
		for _, tri := range m.Triangles[body.First:body.End] {
			x0, y0 := x(m.X[tri[0]])
			x1, y1 := x(m.X[tri[1]])
			x2, y2 := x(m.X[tri[2]])
			fmt.Fprintf(&b, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"1\"/>\n", x0, y0, x1, y1, x2, y2, fill[i%len(fill)])
		}
	}
	if d.regions {
		colours := []string{"#1b6ca8", "#c0532b", "#3d8b40", "#7b4ea3", "#a8861b"}
		const grid = 7.0
		for py := grid / 2; py < height; py += grid {
			for px := grid / 2; px < width; px += grid {
				q := r2.Vec{X: d.lo.X + px/scale, Y: d.hi.Y - py/scale}
				best := contactPoint{}
				for _, i := range opposite {
					var target target
					target.setEdge(o, i, m.X)
					if n := target.pointAt(q); n.deflection > 0 && (best.deflection == 0 || n.deflection < best.deflection) {
						best = n
					}
				}
				if best.deflection > 0 {
					fmt.Fprintf(&b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\" fill=\"%s\"/>\n", px, py, colours[int(best.edge)%len(colours)])
				}
			}
		}
	}
	for _, e := range m.Edges {
		x0, y0 := x(m.X[e.A])
		x1, y1 := x(m.X[e.B])
		if e.Radius != 0 {
			sweep := 0 // anticlockwise on the page, which has y downwards
			if e.Radius < 0 {
				sweep = 1
			}
			r := math.Abs(e.Radius) * scale
			fmt.Fprintf(&b, "<path d=\"M%.1f %.1fA%.1f %.1f 0 0 %d %.1f %.1f\" fill=\"none\" stroke=\"#333\" stroke-width=\"1.5\"/>\n", x0, y0, r, r, sweep, x1, y1)
			continue
		}
		fmt.Fprintf(&b, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#333\" stroke-width=\"1.5\"/>\n", x0, y0, x1, y1)
	}
	positions := c.Positions(nil, m.X)
	if d.self {
		positions = positions[:0]
	}
	for _, p := range positions {
		px, py := x(p)
		fmt.Fprintf(&b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"#999\"/>\n", px, py)
	}
	for _, n := range c.points.seen() {
		p := positions[n.id]
		px, py := x(p)
		fx, fy := x(r2.Sub(p, r2.Scale(n.deflection, n.in)))
		fmt.Fprintf(&b, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#c8102e\" stroke-width=\"1\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"#c8102e\"/>\n", px, py, fx, fy, px, py)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
