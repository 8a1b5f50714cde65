package deck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fdem/materials/contact"
)

// foreign refuses the first key of the deck that is in no line of the
// reference, before one that is missing: what is misspelt is both.
func (t *table) foreign() {
	top := slices.Clone(keysOf(""))
	for _, b := range reference {
		if b.Name != "" && !strings.Contains(b.Name, ".") {
			top = append(top, b.Name)
		}
	}
	at, msg := -1, ""
	look := func(path, title, block string, values map[string]any, known []string) {
		for key := range values {
			if slices.Contains(known, key) {
				continue
			}
			place, ok := t.places[(&table{path: path}).join(key)]
			if !ok {
				place = t.places[(&table{path: path}).join(key)+"[0]"]
			}
			if at >= 0 && place.key >= at {
				continue
			}
			at, msg = place.key, fmt.Sprintf("unknown key %q", key)
			if title != "" {
				msg = title + ": " + msg
			}
			if m := meant(key, known); m != "" {
				msg += m
			} else if others := homes(key, block); others != "" {
				msg += others
			} else {
				msg += nearest(key, known)
			}
		}
	}
	look("", "", "", t.values, top)
	for _, name := range top[len(keysOf("")):] {
		switch v := t.values[name].(type) {
		case map[string]any:
			look(name, name, name, v, keysOf(name))
		case []any:
			for i, e := range v {
				b, ok := e.(map[string]any)
				if !ok || i > mostBlocks {
					break
				}
				known := keysOf(name)
				if name == "law" {
					word, _ := b["model"].(string)
					model, ok := contact.Lookup(word)
					if !ok && b["model"] != nil {
						continue // that is said first
					}
					for _, p := range model.Parameters {
						known = append(known, p.Name)
					}
				}
				look(fmt.Sprintf("%s[%d]", name, i), titled(name, i, b), name, b, known)
			}
		}
	}
	if at >= 0 {
		t.fail(at, "%s", msg)
	}
}

// titled names a block for messages.
func titled(block string, i int, values map[string]any) string {
	for _, label := range []string{"name", "on"} {
		if s, ok := values[label].(string); ok && s != "" && len(s) <= longestName {
			return fmt.Sprintf("%s %q", block, s)
		}
	}
	return fmt.Sprintf("%s %d", block, i+1)
}

// keysOf returns the keys of a block of the deck.
func keysOf(block string) []string {
	var out []string
	for _, b := range reference {
		if b.Name == block {
			for _, k := range b.Keys {
				out = append(out, k.Name)
			}
		}
	}
	return out
}

// homes names the blocks, other than one, that have a key.
func homes(key, block string) string {
	in := map[string]bool{}
	for _, b := range reference {
		for _, k := range b.Keys {
			if k.Name == key && b.Name != block {
				in[b.Header()] = true
			}
		}
	}
	if len(in) == 0 || len(in) > 3 {
		return ""
	}
	return ": it is a key of " + strings.Join(slices.Sorted(maps.Keys(in)), " and ")
}

// nearest suggests a name, or lists them where none is near.
func nearest(name string, known []string) string {
	if m := meant(name, known); m != "" || len(known) == 0 {
		return m
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if more := len(sorted) - mostListed; more > 0 {
		return fmt.Sprintf(": there are %s and %d more", quoted(sorted[:mostListed]), more)
	}
	return ": there are " + quoted(sorted)
}

// mostListed is how many names a message lists.
const mostListed = 30

// meant suggests a name where one is near: a third of its letters may differ,
// of a short name all but one must be right, and capitals never count.
func meant(name string, known []string) string {
	name = strings.TrimSpace(name)
	length := len([]rune(name))
	best, at := min(1+length/3, length-1), ""
	if length > 64 { // no slip of the finger
		return ""
	}
	for _, k := range known {
		d := 0
		if !strings.EqualFold(name, k) {
			if len(k) > 128 {
				continue
			}
			d = max(distance(strings.ToLower(name), strings.ToLower(k)), 1)
			if d >= len([]rune(k)) {
				continue
			}
		}
		if d < best || d == best && at == "" {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %q?", at)
}

// distance is the number of letters to insert, delete, replace or swap.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(s); i++ {
		before, last, now := rows[0], rows[1], rows[2]
		now[0] = i
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, now, before
	}
	return rows[1][len(t)]
}
