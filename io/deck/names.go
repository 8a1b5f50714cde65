package deck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// refuseUnknown stops at the first key of the file that is in no block of its
// schema. This comes before the check for missing keys, since a misspelt key is
// both.
func (d *document) refuseUnknown() {
	first := unknownKey{at: -1}
	top := keysOf(d.schema[0].Keys)
	for _, b := range d.schema[1:] {
		top = append(top, b.Name)
		switch v := d.values[b.Name].(type) {
		case map[string]any:
			t := d.table(b, b.Name, b.Name, v)
			d.lookFor(&first, t, keysOf(t.keys))
		case []any:
			d.lookInBlocks(&first, b, v)
		}
	}
	d.lookFor(&first, d.table(d.schema[0], "", "", d.values), top)
	if first.at >= 0 {
		d.fail(first.at, "%s", first.msg)
	}
}

// unknownKey is the first unknown key so far: its position, -1 for none, and the message.
type unknownKey struct {
	at  int
	msg string
}

// lookInBlocks checks the blocks of an array.
func (d *document) lookInBlocks(first *unknownKey, b *Block, blocks []any) {
	for i, e := range blocks {
		values, ok := e.(map[string]any)
		if !ok || i > maxBlocks {
			return
		}
		if b.more != nil {
			if _, ok := b.more(values); !ok {
				continue // the reason is reported when the block is read
			}
		}
		t := d.table(b, fmt.Sprintf("%s[%d]", b.Name, i), titled(b.Name, i, values), values)
		d.lookFor(first, t, keysOf(t.keys))
	}
}

// lookFor checks a table and the tables in it.
func (d *document) lookFor(first *unknownKey, t *table, known []string) {
	for key, v := range t.values {
		if !slices.Contains(known, key) {
			position, ok := d.keysAt[t.join(key)]
			if !ok {
				position = d.keysAt[t.join(key)+"[0]"]
			}
			if first.at < 0 || position.key < first.at {
				*first = unknownKey{position.key, d.unknown(t, key, known)}
			}
			continue
		}
		inside, isTable := v.(map[string]any)
		for i := range t.keys {
			if b := t.keys[i].sub; b != nil && t.keys[i].Name == key && isTable {
				d.lookFor(first, d.table(b, t.join(key), key, inside), keysOf(b.Keys))
			}
		}
	}
}

// unknown returns the message that a table has no such key, with the key that
// may be meant.
func (d *document) unknown(t *table, key string, known []string) string {
	msg := fmt.Sprintf("unknown key %q", key)
	if t.title != "" {
		msg = t.title + ": " + msg
	}
	if t.Name == "joint" && key == "bedding" {
		return msg + ": a joint has one direction and one strength; for a body whose strength depends on direction, give bedding in a [[fracture]]"
	}
	if m := cmp.Or(synonym(key, known), suggestion(key, known)); m != "" {
		return msg + m
	}
	others := d.blocksWith(key, t.Name)
	if others == "" {
		return msg + nearest(key, known)
	}
	if msg += others; t.title != "" {
		msg += "; here" + strings.TrimPrefix(nearest(key, known), ":")
	}
	return msg
}

// titled returns a block's title for messages: with its name, its on, the names
// in contact, or its number.
func titled(block string, i int, values map[string]any) string {
	text := func(v any) string { s, _ := v.(string); return s }
	meets := ""
	if text(values["contactor"]) != "" {
		meets = text(values["contactor"]) + "-" + text(values["opposite"])
	}
	if pair, ok := values["between"].([]any); ok && len(pair) == 2 {
		meets = text(pair[0]) + "-" + text(pair[1])
	} else if block == "interaction" {
		meets = "all-all"
	}
	for _, s := range []string{text(values["name"]), text(values["on"]), meets} {
		if s != "" && len(s) <= longestName {
			return fmt.Sprintf("%s %q", block, s)
		}
	}
	return fmt.Sprintf("%s %d", block, i+1)
}

// blocksWith returns the names of the blocks, other than one, that have a key.
func (d *document) blocksWith(key, block string) string {
	var in []string
	for _, b := range d.schema {
		subs := []*Block{b}
		for _, k := range b.Keys {
			if k.sub != nil {
				subs = append(subs, k.sub)
			}
		}
		for _, b := range subs {
			if b.Name != block && slices.Contains(keysOf(b.Keys), key) {
				in = append(in, b.Header())
			}
		}
	}
	if len(in) == 0 || len(in) > 3 {
		return ""
	}
	slices.Sort(in)
	return ": it is a key of " + strings.Join(in, " and ")
}

// nearest suggests a similar name, or lists all names if none is similar.
func nearest(name string, known []string) string {
	if m := suggestion(name, known); m != "" || len(known) == 0 {
		return m
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if more := len(sorted) - maxListed; more > 0 {
		return fmt.Sprintf(": there are %s and %d more", quoted(sorted[:maxListed]), more)
	}
	return ": there are " + quoted(sorted)
}

// maxListed is the greatest number of names in a message.
const maxListed = 30

// suggestion returns a similar name, "" for none. A third of its letters may
// differ, in a short name only one, and capitals do not matter.
func suggestion(name string, known []string) string {
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

// distance returns the number of letters to insert, delete, replace or swap.
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
