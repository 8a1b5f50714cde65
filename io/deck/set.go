package deck

import (
	"fmt"
	"slices"
	"strings"

	"fdem/io/tables"

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
	doc, err := tables.Open(name, data)
	if err != nil {
		return nil, err
	}
	block, label, key := path, "", ""
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		block, key = path[:i], path[i+1:]
	}
	if slices.Contains(Changeable(), block) { // a table that may change as a whole
		return doc.Put(block, key, literal(text))
	}
	at := block
	if block, label, _ = strings.Cut(block, "."); label != "" {
		blocks, _ := doc.Values[block].([]any)
		k, known := tables.Named(blocks, label)
		if at = fmt.Sprintf("%s[%d]", block, k); k < 0 && slices.Contains(Changeable(), block+".NAME."+key) {
			return nil, fmt.Errorf("the deck has no [[%s]] %q%s", block, label, tables.Nearest(label, known))
		}
		block += ".NAME"
	}
	if !slices.Contains(Changeable(), block+"."+key) {
		return nil, fmt.Errorf("this may not change in a branch; what may: %s", strings.Join(Changeable(), ", "))
	}
	return doc.Put(at, key, literal(text))
}

// literal returns a value in TOML: as given if it is valid, else as a text in
// quotes.
func literal(text string) string {
	var v map[string]any
	if strings.Contains(text, "\n") && !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, `"""`) {
		return tables.Quote(text)
	}
	if err := toml.Unmarshal([]byte("v = "+text), &v); err != nil || len(v) != 1 {
		return tables.Quote(text)
	}
	return text[:tables.ValueEnd([]byte(text), 0)]
}
