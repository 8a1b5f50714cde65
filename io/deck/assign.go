package deck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	doc, err := open(name, data)
	if err != nil {
		return nil, err
	}
	if from, to, err := doc.find(path); err == nil {
		return slices.Concat(data[:from], []byte(value), data[to:]), nil
	}
	words, err := splitPath(path)
	if err != nil {
		return nil, err
	}
	key := words[len(words)-1]
	block, at, err := doc.blockAt(words[:len(words)-1])
	if err != nil {
		return nil, err
	}
	if known := keysOf(block.Keys); block.more == nil && !slices.Contains(known, key) {
		return nil, fmt.Errorf("%s has no key %q%s", block.Header(), key, cmp.Or(synonym(key, known), nearest(key, known)))
	}
	if at == "" { // keys at the top come before all blocks
		return slices.Concat([]byte(key+" = "+value+"\n"), data), nil
	}
	return doc.put(at, key, value)
}

// blockAt returns the block named by words, and its position in the deck. Words name a
// table, a block and its name, or a table in a table.
func (d *document) blockAt(words []string) (*Block, string, error) {
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
			blocks, _ := d.values[b.Name].([]any)
			k, known := named(blocks, words[1])
			if k < 0 {
				return nil, "", fmt.Errorf("the deck has no [[%s]] %q%s", b.Name, words[1], nearest(words[1], known))
			}
			return &b, fmt.Sprintf("%s[%d]", b.Name, k), nil
		case b.Many && len(words) == 1:
			if blocks, _ := d.values[b.Name].([]any); len(blocks) == 1 {
				return &b, b.Name + "[0]", nil
			}
			return nil, "", fmt.Errorf("say which [[%s]], by its name or number: %s.NAME.KEY or %s.1.KEY", b.Name, b.Name, b.Name)
		case !b.Many && !nested && len(words) == 1, nested && len(words) == 2 && words[1] == inner:
			return &b, b.Name, nil
		}
	}
	return nil, "", fmt.Errorf("a deck has no %q%s", strings.Join(words, "."), nearest(words[0], names))
}
