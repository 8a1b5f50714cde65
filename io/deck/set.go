package deck

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// changeable lists the keys that may change where a run branches off: those
// that the state does not depend on. What a change puts into the state, the
// strain energy of another modulus, say, the branch books as external work. Of a block that
// may be repeated, the name stands between: contact.NAME.friction.
var changeable = []struct {
	block string
	many  bool

	keys []string
}{
	{"analysis", false, []string{"step", "safety", "residual_limit", "damping", "gravity", "duration"}},
	{"material", true, []string{"young", "poisson", "density"}},
	{"fix", true, []string{"components", "displacement", "schedule"}},
	{"output", false, []string{"fields_every", "history_every", "checkpoint_every", "checkpoint_compress", "fields_compress"}},
	{"contact", true, []string{"friction", "static_friction", "friction_speed"}},
	{"load", true, []string{"force", "pressure", "schedule"}},
}

// Changeable lists the keys that Set may change.
func Changeable() []string {
	var out []string
	for _, c := range changeable {
		for _, k := range c.keys {
			if c.many {
				k = "NAME." + k
			}
			out = append(out, c.block+"."+k)
		}
	}
	return out
}

// Set returns the text of a deck with key=value assignments made, each on its
// line, the rest as it was. A value is as in a deck; quotes around a text may
// be left out. It fails for keys that are not Changeable and for blocks that
// the deck does not have.
func Set(name string, data []byte, assignments []string) ([]byte, error) {
	for _, a := range assignments {
		path, value, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes key=value, got %q", a)
		}
		var err error
		if data, err = set(name, data, strings.TrimSpace(path), strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("--set %s: %w", path, err)
		}
	}
	return data, nil
}

func set(name string, data []byte, path, text string) ([]byte, error) {
	block, key := path, ""
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		block, key = path[:i], path[i+1:]
	}
	block, label, _ := strings.Cut(block, ".")
	for _, c := range changeable {
		if c.block != block || !slices.Contains(c.keys, key) || c.many != (label != "") {
			continue
		}
		doc, values, err := open(name, data)
		if err != nil {
			return nil, err
		}
		at := block
		if c.many {
			i := labelled(values[block], label)
			if i < 0 {
				return nil, fmt.Errorf("the deck has no [[%s]] %q", block, label)
			}
			at = fmt.Sprintf("%s[%d]", block, i)
		}
		return doc.put(at, key, literal(text))
	}
	return nil, fmt.Errorf("this may not change in a branch; what may: %s", strings.Join(Changeable(), ", "))
}

// labelled finds the block of a name; contacts without one are called
// contactor-opposite.
func labelled(blocks any, label string) int {
	list, _ := blocks.([]any)
	for i, b := range list {
		t, _ := b.(map[string]any)
		for _, key := range []string{"name", "on"} {
			if t[key] == label {
				return i
			}
		}
		if t["name"] == nil && fmt.Sprintf("%v-%v", t["contactor"], t["opposite"]) == label {
			return i
		}
	}
	return -1
}

// literal is a value as TOML writes it: as given where that is one, a text
// otherwise.
func literal(text string) string {
	if _, ok := decoded(text); ok {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// decoded reads one value.
func decoded(text string) (any, bool) {
	var v map[string]any
	if strings.ContainsAny(text, "\n") && !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, `"""`) {
		return nil, false
	}
	if err := toml.Unmarshal([]byte("v = "+text), &v); err != nil || len(v) != 1 {
		return nil, false
	}
	return v["v"], true
}

// put writes a key of the block at a path, in place of its value or as a new
// line under the block's head.
func (d *document) put(block, key, value string) ([]byte, error) {
	var out []byte
	if p, ok := d.places[block+"."+key]; ok {
		end, ok := d.end(p.value)
		if !ok {
			return nil, fmt.Errorf("the deck's value is not understood: edit it so that it stands on lines of its own")
		}
		out = slices.Concat(d.data[:p.value], []byte(value), d.data[end:])
	} else if p, ok := d.places[block]; ok {
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
	want, _ := decoded(value)
	again, values, err := open(d.file, out)
	if err != nil {
		return nil, err
	}
	if _, ok := again.places[block+"."+key]; !ok || !reflect.DeepEqual(lookUp(values, block, key), want) {
		return nil, fmt.Errorf("the deck could not be changed: edit it by hand and begin a new run")
	}
	return out, nil
}

// end finds where the value at an offset ends: the shortest piece up to the end
// of a line, or to a comment, that is a value.
func (d *document) end(from int) (int, bool) {
	for i := from + 1; i <= len(d.data); i++ {
		if i < len(d.data) && d.data[i] != '\n' && d.data[i] != '#' && d.data[i] != '\r' {
			continue
		}
		text := strings.TrimRight(string(d.data[from:i]), " \t\r")
		if _, ok := decoded(text); ok {
			return from + len(text), true
		}
	}
	return 0, false
}

// lookUp returns the value of a key in a block, "contact[1]" or "analysis".
func lookUp(values map[string]any, block, key string) any {
	name, index, many := strings.Cut(strings.TrimSuffix(block, "]"), "[")
	if !many {
		t, _ := values[name].(map[string]any)
		return t[key]
	}
	list, _ := values[name].([]any)
	for i, b := range list {
		if t, ok := b.(map[string]any); ok && fmt.Sprint(i) == index {
			return t[key]
		}
	}
	return nil
}
