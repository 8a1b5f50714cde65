package deck

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"fdem/io/throw"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Error is a mistake in a deck with its position.
type Error struct {
	File         string
	Line, Column int
	Msg          string
	Source       string // the line itself
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// Quote returns the deck's line with a caret under the position.
func (e *Error) Quote() string {
	if e.Source == "" {
		return ""
	}
	indent := []rune(e.Source)
	indent = indent[:min(max(e.Column-1, 0), len(indent))]
	for i, r := range indent {
		if r != '\t' {
			indent[i] = ' '
		}
	}
	return e.Source + "\n" + string(indent) + "^"
}

// keyAt is the positions of a key and of its value.
type keyAt struct{ key, value int }

// document is a decoded deck with the byte offset of every key.
type document struct {
	file    string
	data    []byte
	keysAt  map[string]keyAt
	values  map[string]any
	schema  []*Block // of the file; the first is its top
	filesIn string   // folder of the files that the deck names, "" for the paths in the deck
	// Facts of one block for conditions and defaults of another.
	facts   map[string]string
	numbers map[string]float64
}

// fail stops reading with an error at a byte offset. This saves an error check
// after every key.
func (d *document) fail(offset int, format string, args ...any) {
	throw.If(d.errorAt(offset, fmt.Sprintf(format, args...)))
}

func (d *document) errorAt(offset int, msg string) *Error {
	offset = min(max(offset, 0), len(d.data))
	begin := bytes.LastIndexByte(d.data[:offset], '\n') + 1
	source := d.data[begin:]
	if end := bytes.IndexByte(source, '\n'); end >= 0 {
		source = source[:end]
	}
	return &Error{
		File: d.file, Line: 1 + bytes.Count(d.data[:begin], []byte("\n")),
		Column: 1 + len([]rune(string(d.data[begin:offset]))), Msg: msg,
		Source: strings.TrimRight(string(source), "\r"),
	}
}

// maxSize is the greatest size of a deck.
const maxSize = 16 << 20

// open decodes a deck and notes the positions of its keys.
func open(name string, data []byte) (*document, error) {
	d := &document{file: name, data: data, keysAt: map[string]keyAt{}, facts: map[string]string{}, numbers: map[string]float64{}}
	if len(data) > maxSize {
		return nil, fmt.Errorf("%s: the file has %d bytes, more than a deck may have", name, len(data))
	}
	if bytes.HasPrefix(data, []byte("$MeshFormat")) {
		return nil, fmt.Errorf("%s is a Gmsh mesh, not a file of keys and values", name)
	}
	if err := d.encoding(); err != nil {
		return nil, err
	}
	if err := d.bounded(); err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := toml.Unmarshal(d.data, &values); err != nil {
		var decode *toml.DecodeError
		if errors.As(err, &decode) {
			line, column := decode.Position()
			offset := 0
			for range line - 1 {
				offset += bytes.IndexByte(d.data[offset:], '\n') + 1
			}
			offset = min(offset+column-1, len(d.data))
			return nil, d.errorAt(offset, d.syntax(offset, strings.TrimPrefix(decode.Error(), "toml: ")))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d.values = values
	d.locate()
	return d, nil
}

// locate walks the syntax tree. Paths are keys joined by dots, with the numbers
// of blocks in an array: "material[1].density".
func (d *document) locate() {
	var p unstable.Parser
	p.Reset(d.data)
	count := map[string]int{}
	prefix := ""
	var put func(prefix string, n *unstable.Node)
	path := func(prefix string, it unstable.Iterator) (string, int) {
		at := -1
		for it.Next() {
			n := it.Node()
			if i := count[prefix]; i > 0 { // a table in the last of several blocks
				prefix = fmt.Sprintf("%s[%d]", prefix, i-1)
			}
			prefix = join(prefix, string(n.Data))
			at = int(n.Raw.Offset)
		}
		return prefix, at
	}
	put = func(prefix string, n *unstable.Node) {
		name, at := path(prefix, n.Key())
		value := at
		if i := bytes.IndexByte(d.data[at:], '='); i >= 0 {
			value = at + i + 1
			for value < len(d.data) && (d.data[value] == ' ' || d.data[value] == '\t') {
				value++
			}
		}
		d.keysAt[name] = keyAt{at, value}
		if v := n.Value(); v.Kind == unstable.InlineTable {
			for it := v.Children(); it.Next(); {
				put(name, it.Node())
			}
		}
	}
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			name, at := path("", e.Key())
			if e.Kind == unstable.ArrayTable {
				i := count[name]
				count[name]++
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			prefix = name
			d.keysAt[name] = keyAt{at, at}
		case unstable.KeyValue:
			put(prefix, e)
		}
	}
}
