package deck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Set returns the text of a deck after key=value assignments, each in its line.
// The rest does not change. A value is as in a deck, but quotes around a text
// may be omitted. It fails for keys that are not Changeable and for blocks that
// the deck does not have.
func Set(name string, data []byte, assignments []string) ([]byte, error) {
	return eachAssignment(name, data, assignments, set)
}

// eachAssignment applies key=value assignments one after the other.
func eachAssignment(name string, data []byte, assignments []string, do func(name string, data []byte, path, text string) ([]byte, error)) ([]byte, error) {
	for _, a := range assignments {
		path, value, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes key=value, got %q", a)
		}
		path = strings.TrimSpace(path)
		var err error
		if data, err = do(name, data, path, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("--set %s: %w", path, err)
		}
	}
	return data, nil
}

func set(name string, data []byte, path, text string) ([]byte, error) {
	doc, err := open(name, data)
	if err != nil {
		return nil, err
	}
	block, label, key := path, "", ""
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		block, key = path[:i], path[i+1:]
	}
	at := block
	if block, label, _ = strings.Cut(block, "."); label != "" {
		blocks, _ := doc.values[block].([]any)
		k, known := named(blocks, label)
		if at = fmt.Sprintf("%s[%d]", block, k); k < 0 && slices.Contains(Changeable(), block+".NAME."+key) {
			return nil, fmt.Errorf("the deck has no [[%s]] %q%s", block, label, nearest(label, known))
		}
		block += ".NAME"
	}
	if !slices.Contains(Changeable(), block+"."+key) {
		return nil, fmt.Errorf("this may not change in a branch; what may: %s", strings.Join(Changeable(), ", "))
	}
	return doc.put(at, key, literal(text))
}

// literal returns a value in TOML: as given if it is valid, else as a text in
// quotes.
func literal(text string) string {
	var v map[string]any
	if strings.Contains(text, "\n") && !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, `"""`) {
		return Quote(text)
	}
	if err := toml.Unmarshal([]byte("v = "+text), &v); err != nil || len(v) != 1 {
		return Quote(text)
	}
	return text[:valueEnd([]byte(text), 0)]
}

// put sets a key of the block at a path: it replaces the value, or adds a new
// line under the block's head.
func (d *document) put(block, key, value string) ([]byte, error) {
	var out []byte
	if p, ok := d.keysAt[block+"."+key]; ok {
		out = slices.Concat(d.data[:p.value], []byte(value), d.data[valueEnd(d.data, p.value):])
	} else if p, ok := d.keysAt[block]; ok {
		if p.key == 0 || d.data[p.key-1] != '[' && d.data[p.key-1] != ' ' {
			return nil, fmt.Errorf("write the deck's %s as a table in brackets first", block)
		}
		end := p.key + bytes.IndexByte(d.data[p.key:], '\n')
		if end < p.key {
			end = len(d.data)
		}
		out = slices.Concat(d.data[:end], []byte("\n"+key+" = "+value), d.data[end:])
	} else {
		out = slices.Concat(d.data, []byte("\n["+block+"]\n"+key+" = "+value+"\n"))
	}
	again, err := open(d.file, out)
	if err != nil {
		return nil, err
	}
	if p, ok := again.keysAt[block+"."+key]; !ok || string(out[p.value:valueEnd(out, p.value)]) != value {
		return nil, fmt.Errorf("the deck could not be changed: edit it by hand and begin a new run")
	}
	return out, nil
}
