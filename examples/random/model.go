// Package random draws small models at random and checks them without knowing their answers
// (property-based testing, differential testing). A model is the text of a shapes file and of a
// deck, and goes the way of a user's: the reader, the solver, the results folder. Checks compare
// runs that must agree, such as by other numbers of threads, after a resume or in other units,
// and hold what physics demands of every run: energy, momentum, contact that never pulls. What
// fails is made as small as it can be and printed.
package random

import (
	"fmt"
	"slices"
	"strings"

	"fdem/io/plan"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Block is a block of a shapes file or a deck.
type Block struct {
	Name   string
	Single bool // there is one of the name
	Keys   []Key
}

// key returns the value of a key as it is written, "" without it.
func (b *Block) key(name string) string {
	for _, k := range b.Keys {
		if k.Name == name {
			return k.Value.String()
		}
	}
	return ""
}

// set changes or adds a key.
func (b *Block) set(name string, v value) {
	for i := range b.Keys {
		if b.Keys[i].Name == name {
			b.Keys[i].Value = v
			return
		}
	}
	b.Keys = append(b.Keys, Key{name, v})
}

// Model is a model as a user would write it: the shapes of its mesh and its deck.
type Model struct {
	Seed         uint64
	Shapes, Deck []Block
	Frame        Frame // of the nodes of its mesh; the deck is in it already
	Odd          bool  // has parameters in units with broken exponents, so that it has one system of units
}

// write writes blocks in TOML.
func write(blocks []Block) string {
	var out strings.Builder
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Name == "":
		case b.Single:
			fmt.Fprintf(&out, "[%s]\n", b.Name)
		default:
			fmt.Fprintf(&out, "[[%s]]\n", b.Name)
		}
		for _, k := range b.Keys {
			fmt.Fprintf(&out, "%s = %s\n", k.Name, k.Value)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// ShapesText is the shapes file, for fdem mesh.
func (m *Model) ShapesText() string { return write(m.Shapes) }

// DeckText is the deck.
func (m *Model) DeckText() string { return write(m.Deck) }

// String is both files, as they are printed for somebody who is to run the model.
func (m *Model) String() string {
	return fmt.Sprintf("# model.shapes.toml, for fdem mesh\n%s# model.toml\n%s", m.ShapesText(), m.DeckText())
}

// clone copies the model but the values, which never change.
func (m *Model) clone() *Model {
	out := *m
	of := func(blocks []Block) []Block {
		blocks = slices.Clone(blocks)
		for i := range blocks {
			blocks[i].Keys = slices.Clone(blocks[i].Keys)
		}
		return blocks
	}
	out.Shapes, out.Deck = of(m.Shapes), of(m.Deck)
	return &out
}

// In returns the same model in another frame.
func (m *Model) In(f Frame) *Model {
	out := m.clone()
	out.Frame = f
	for i := range out.Deck {
		for k := range out.Deck[i].Keys {
			key := &out.Deck[i].Keys[k]
			key.Value = key.Value.in(f)
		}
	}
	return out
}

// With returns the model with another value of a key of [analysis].
func (m *Model) With(key string, v value) *Model {
	out := m.clone()
	out.block("analysis").set(key, v)
	return out
}

// block returns the first block of the deck of a name, nil for none.
func (m *Model) block(name string) *Block {
	for i := range m.Deck {
		if m.Deck[i].Name == name {
			return &m.Deck[i]
		}
	}
	return nil
}

// has tells whether the deck has a block of one of the names.
func (m *Model) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return m.block(n) != nil })
}

// static tells whether the analysis is static.
func (m *Model) static() bool { return m.block("analysis").key("type") == `"static"` }

// Source makes the mesh in the model's frame, nil for a model without meshed bodies.
func (m *Model) Source() (*mesh.Source, error) {
	if !m.has("body", "beam") {
		return nil, nil
	}
	src, err := plan.ParseShapes("model.shapes.toml", []byte(m.ShapesText()))
	if err != nil {
		return nil, err
	}
	for i, x := range src.X {
		src.X[i].X, src.X[i].Y = m.Frame.turn(x.X, x.Y)
		src.X[i] = r2.Add(src.X[i], r2.Vec{X: m.Frame.X, Y: m.Frame.Y})
		src.X[i].X, src.X[i].Y = m.Frame.scale(src.X[i].X, length), m.Frame.scale(src.X[i].Y, length)
	}
	if m.Frame.Mirror {
		for i, t := range src.Triangles {
			src.Triangles[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	return src, nil
}

// Kinds lists what a model has, in a line.
func (m *Model) Kinds() string {
	var out []string
	for i := range m.Deck {
		b := &m.Deck[i]
		if b.Name == "" || b.Name == "output" || b.Name == "body" {
			continue
		}
		of := b.Name
		for _, k := range b.Keys {
			switch k.Name {
			case "law", "model", "shape", "type", "plane", "overlap", "softening", "friction_model", "contact_nodes":
				of += " " + strings.Trim(k.Value.String(), `"`)
			case "gravity", "damping", "two_sided", "self", "dilation", "aperture", "normal_stiffness", "tensile_strength", "motion", "opening_rate", "bedding", "scatter", "pressure", "rate", "gas", "jwl", "viscosity", "residual":
				of += " " + k.Name
			}
		}
		out = append(out, of)
	}
	return strings.Join(out, ", ")
}
