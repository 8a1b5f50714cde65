package tables

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Change is the replacement of a value in a deck. Path is words separated by
// dots: a table or a block, the block's name or its number from 1, the key, and
// in a list x, y or the index from 1, as in "body.striker.velocity.x". A word
// with a dot is in quotes.
type Change struct {
	Path string
	New  func(old string) (string, error) // texts as in TOML
}

// Quote returns a text in quotes as in TOML.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case unicode.IsControl(c):
			fmt.Fprintf(&b, "\\u%04X", c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Edit returns a deck's text with values replaced. The rest of the text, with
// comments and line breaks, does not change. It fails if a path does not exist.
func Edit(name string, data []byte, changes []Change) (out []byte, err error) {
	doc, err := Open(name, data)
	if err != nil {
		return nil, err
	}
	type replacement struct {
		from, to int
		text     string
		path     string
	}
	var replacements []replacement
	for _, c := range changes {
		from, to, err := doc.Find(c.Path)
		if err != nil {
			return nil, err
		}
		text, err := c.New(string(data[from:to]))
		if err != nil {
			return nil, doc.ErrorAt(from, c.Path+": "+err.Error())
		}
		replacements = append(replacements, replacement{from, to, text, c.Path})
	}
	slices.SortStableFunc(replacements, func(a, b replacement) int { return a.from - b.from })
	at := 0
	for _, p := range replacements {
		if p.from < at {
			return nil, fmt.Errorf("%s: two parameters change %s", name, p.path)
		}
		out = append(append(out, data[at:p.from]...), p.text...)
		at = p.to
	}
	return append(out, data[at:]...), nil
}

// Find returns the position of a path's value.
func (d *Document) Find(path string) (from, to int, err error) {
	words, err := SplitPath(path)
	if err != nil {
		return 0, 0, err
	}
	var at any = d.Values
	found := ""
	lost := func(word string, known []string) (int, int, error) {
		return 0, 0, fmt.Errorf("%s: %s: there is no %q%s", d.File, path, word, Nearest(word, known))
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[word]
			if !ok {
				return lost(word, slices.Sorted(maps.Keys(v)))
			}
			at = next
			if found != "" {
				found += "."
			}
			found += word
		case []any:
			if !areBlocks(v) {
				p, ok := d.KeysAt[found]
				if !ok || i != len(words)-1 {
					return lost(word, nil)
				}
				return d.findInList(path, p.Value, word, len(v))
			}
			k, known := Named(v, word)
			if k < 0 && len(v) == 1 && has(v[0], word) { // a single block needs no name
				k = 0
				i--
			}
			if k < 0 {
				return lost(word, known)
			}
			at, found = v[k], fmt.Sprintf("%s[%d]", found, k)
		default:
			return lost(word, nil)
		}
	}
	p, ok := d.KeysAt[found]
	if _, isTable := at.(map[string]any); !ok || isTable {
		return 0, 0, fmt.Errorf("%s: %s is a table: the path must lead to a value", d.File, path)
	}
	return p.Value, ValueEnd(d.Data, p.Value), nil
}

// findInList returns the position of a value in a list of n values that begins at a byte
// offset. word is the value's number from 1, "x" or "y".
func (d *Document) findInList(path string, at int, word string, n int) (from, to int, err error) {
	k := slices.Index([]string{"x", "y"}, word)
	if number, err := strconv.Atoi(word); err == nil {
		k = number - 1
	}
	if k < 0 || k >= n {
		return 0, 0, fmt.Errorf("%s: %s: %q is no index of a list with %d entries", d.File, path, word, n)
	}
	from, to = element(d.Data, at, k)
	return from, to, nil
}

// areBlocks tells whether a list is one of tables.
func areBlocks(list []any) bool {
	if len(list) == 0 {
		return false
	}
	_, isTable := list[0].(map[string]any)
	return isTable
}

// has tells whether a table has a key.
func has(table any, key string) bool {
	t, _ := table.(map[string]any)
	_, ok := t[key]
	return ok
}

// Named finds a block by its name, by its on, by its two sides, or by its
// number from 1.
func Named(blocks []any, word string) (int, []string) {
	var known []string
	for _, label := range []func(text func(key string) string) string{
		func(text func(key string) string) string { return text("name") },
		func(text func(key string) string) string { return text("on") },
		func(text func(key string) string) string { return text("contactor") + "-" + text("opposite") },
	} {
		for i, b := range blocks {
			t, _ := b.(map[string]any)
			n := label(func(key string) string { s, _ := t[key].(string); return s })
			if n == word {
				return i, nil
			}
			if n != "" && n != "-" {
				known = append(known, n)
			}
		}
	}
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(blocks) { // word is not a name
		return n - 1, nil
	}
	return -1, known
}

// SplitPath splits a path at its dots, except in quotes.
func SplitPath(path string) ([]string, error) {
	var words []string
	for rest := path; ; {
		var word string
		if strings.HasPrefix(rest, `"`) {
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				return nil, fmt.Errorf("path %q: a quote is not closed", path)
			}
			word, rest = rest[1:end+1], rest[end+2:]
			if rest != "" && rest[0] != '.' {
				return nil, fmt.Errorf("path %q: a dot must follow the quote", path)
			}
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			word, rest = rest[:end], rest[end:]
		}
		if word == "" {
			return nil, fmt.Errorf("path %q: a word between the dots is missing", path)
		}
		words = append(words, word)
		if rest == "" {
			return words, nil
		}
		rest = rest[1:]
	}
}

// ValueEnd returns the end of the TOML value that begins at from. The text is
// known to be valid.
func ValueEnd(data []byte, from int) int {
	rest := string(data[from:])
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if !strings.HasPrefix(rest, quote) {
			continue
		}
		for i := len(quote); i < len(rest); i++ {
			if rest[i] == '\\' && quote[0] == '"' {
				i++
			} else if strings.HasPrefix(rest[i:], quote) {
				return from + i + len(quote)
			}
		}
		return len(data)
	}
	if rest[0] == '[' || rest[0] == '{' {
		for i := from + 1; i < len(data); {
			switch data[i] {
			case ']', '}':
				return i + 1
			case '"', '\'', '[', '{':
				i = ValueEnd(data, i)
			case '#':
				i = lineEnd(data, i)
			default:
				i++
			}
		}
		return len(data)
	}
	end := from
	for end < len(data) && strings.IndexByte(",]}#\n\r", data[end]) < 0 {
		end++
	}
	return from + len(strings.TrimRight(string(data[from:end]), " \t"))
}

func lineEnd(data []byte, i int) int {
	for i < len(data) && data[i] != '\n' {
		i++
	}
	return i
}

// element returns the position of the k-th value of the list at from. The list
// is known to have it.
func element(data []byte, from, k int) (begin, end int) {
	i := from + 1
	for {
		for i < len(data) && strings.IndexByte(" \t\r\n,#", data[i]) >= 0 {
			if data[i] == '#' {
				i = lineEnd(data, i)
			} else {
				i++
			}
		}
		end = ValueEnd(data, i)
		if k == 0 || end <= i {
			return i, end
		}
		k--
		i = end
	}
}

// Files returns the paths, as in Change, of the values that name files beside
// the deck, except the mesh.
func Files(name string, data []byte) ([]string, error) {
	doc, err := Open(name, data)
	if err != nil {
		return nil, err
	}
	var paths []string
	blocks, _ := doc.Values["particle"].([]any)
	for i, b := range blocks {
		if t, ok := b.(map[string]any); ok && t["file"] != nil {
			paths = append(paths, fmt.Sprintf("particle.%d.file", i+1))
		}
	}
	return paths, nil
}
