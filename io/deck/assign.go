package deck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fdem/io/tables"
)

// Assign returns the text of a deck after key=value assignments, as Set does, but for
// any key that a deck can have. An existing value is replaced, and a missing key is
// added to its block. Parse checks the values later. Assign fails for unknown blocks and
// keys, and for blocks that the deck does not have.
func Assign(name string, data []byte, assignments []string) ([]byte, error) {
	return eachAssignment(name, data, assignments, assign)
}

func assign(name string, data []byte, path, text string) ([]byte, error) {
	value := literal(text)
	doc, err := tables.Open(name, data)
	if err != nil {
		return nil, err
	}
	if from, to, err := doc.Find(path); err == nil {
		return slices.Concat(data[:from], []byte(value), data[to:]), nil
	}
	words, err := tables.SplitPath(path)
	if err != nil {
		return nil, err
	}
	key := words[len(words)-1]
	block, at, err := blockAt(doc, words[:len(words)-1])
	if err != nil {
		return nil, err
	}
	if known := tables.KeysOf(block.Keys); block.More == nil && !slices.Contains(known, key) {
		return nil, fmt.Errorf("%s has no key %q%s", block.Header(), key, cmp.Or(tables.Synonym(key, known), tables.Nearest(key, known)))
	}
	if at == "" { // keys at the top come before all blocks
		return slices.Concat([]byte(key+" = "+value+"\n"), data), nil
	}
	return doc.Put(at, key, value)
}

// blockAt returns the block named by words, and its position in the deck. Words name a
// table, a block and its name, or a table in a table.
func blockAt(d *tables.Document, words []string) (*tables.Block, string, error) {
	if len(words) == 0 {
		return schema[0], "", nil
	}
	var names []string
	for _, b := range Reference()[1:] {
		names = append(names, b.Name)
		top, inner, nested := strings.Cut(b.Name, ".")
		switch {
		case top != words[0]:
			continue
		case b.Many && len(words) == 2:
			blocks, _ := d.Values[b.Name].([]any)
			k, known := tables.Named(blocks, words[1])
			if k < 0 {
				return nil, "", fmt.Errorf("the deck has no [[%s]] %q%s", b.Name, words[1], tables.Nearest(words[1], known))
			}
			return &b, fmt.Sprintf("%s[%d]", b.Name, k), nil
		case b.Many && len(words) == 1:
			if blocks, _ := d.Values[b.Name].([]any); len(blocks) == 1 {
				return &b, b.Name + "[0]", nil
			}
			return nil, "", fmt.Errorf("say which [[%s]], by its name or number: %s.NAME.KEY or %s.1.KEY", b.Name, b.Name, b.Name)
		case !b.Many && !nested && len(words) == 1, nested && len(words) == 2 && words[1] == inner:
			return &b, b.Name, nil
		}
	}
	return nil, "", fmt.Errorf("a deck has no %q%s", strings.Join(words, "."), tables.Nearest(words[0], names))
}
