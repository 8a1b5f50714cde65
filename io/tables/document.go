package tables

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
type keyAt struct{ key, Value int }

// Document is a decoded deck with the byte offset of every key.
type Document struct {
	File    string
	Data    []byte
	KeysAt  map[string]keyAt
	Values  map[string]any
	schema  []*Block // of the file; the first is its top
	FilesIn string   // folder of the files that the deck names, "" for the paths in the deck
	// Facts of one block for conditions and defaults of another.
	Facts   map[string]string
	Numbers map[string]float64
}

// Fail stops reading with an error at a byte offset. This saves an error check
// after every key.
func (d *Document) Fail(offset int, format string, args ...any) {
	throw.If(d.ErrorAt(offset, fmt.Sprintf(format, args...)))
}

// ErrorAt returns an error with the line and column of a byte of the text.
func (d *Document) ErrorAt(offset int, msg string) *Error {
	offset = min(max(offset, 0), len(d.Data))
	begin := bytes.LastIndexByte(d.Data[:offset], '\n') + 1
	source := d.Data[begin:]
	if end := bytes.IndexByte(source, '\n'); end >= 0 {
		source = source[:end]
	}
	return &Error{
		File: d.File, Line: 1 + bytes.Count(d.Data[:begin], []byte("\n")),
		Column: 1 + len([]rune(string(d.Data[begin:offset]))), Msg: msg,
		Source: strings.TrimRight(string(source), "\r"),
	}
}

// maxSize is the greatest size of a deck.
const maxSize = 16 << 20

// Open decodes a deck and notes the positions of its keys.
func Open(name string, data []byte) (*Document, error) {
	d := &Document{File: name, Data: data, KeysAt: map[string]keyAt{}, Facts: map[string]string{}, Numbers: map[string]float64{}}
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
	if err := toml.Unmarshal(d.Data, &values); err != nil {
		var decode *toml.DecodeError
		if errors.As(err, &decode) {
			line, column := decode.Position()
			offset := 0
			for range line - 1 {
				offset += bytes.IndexByte(d.Data[offset:], '\n') + 1
			}
			offset = min(offset+column-1, len(d.Data))
			return nil, d.ErrorAt(offset, d.syntax(offset, strings.TrimPrefix(decode.Error(), "toml: ")))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d.Values = values
	d.locate()
	return d, nil
}

// locate walks the syntax tree. Paths are keys joined by dots, with the numbers
// of blocks in an array: "material[1].density".
func (d *Document) locate() {
	var p unstable.Parser
	p.Reset(d.Data)
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
		if i := bytes.IndexByte(d.Data[at:], '='); i >= 0 {
			value = at + i + 1
			for value < len(d.Data) && (d.Data[value] == ' ' || d.Data[value] == '\t') {
				value++
			}
		}
		d.KeysAt[name] = keyAt{at, value}
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
			d.KeysAt[name] = keyAt{at, at}
		case unstable.KeyValue:
			put(prefix, e)
		}
	}
}
