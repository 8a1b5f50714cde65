package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// refuseUnknown stops at the first key of the file that is in no block of its
// schema. This comes before the check for missing keys, since a misspelt key is
// both.
func (d *Document) refuseUnknown() {
	first := unknownKey{at: -1}
	top := KeysOf(d.schema[0].Keys)
	for _, b := range d.schema[1:] {
		top = append(top, b.Name)
		switch v := d.Values[b.Name].(type) {
		case map[string]any:
			t := d.Table(b, b.Name, b.Name, v)
			d.lookFor(&first, t, KeysOf(t.Known))
		case []any:
			d.lookInBlocks(&first, b, v)
		}
	}
	d.lookFor(&first, d.Table(d.schema[0], "", "", d.Values), top)
	if first.at >= 0 {
		d.Fail(first.at, "%s", first.msg)
	}
}

// unknownKey is the first unknown key so far: its position, -1 for none, and the message.
type unknownKey struct {
	at  int
	msg string
}

// lookInBlocks checks the blocks of an array.
func (d *Document) lookInBlocks(first *unknownKey, b *Block, blocks []any) {
	for i, e := range blocks {
		values, ok := e.(map[string]any)
		if !ok || i > maxBlocks {
			return
		}
		if b.More != nil {
			if _, ok := b.More(values); !ok {
				continue // the reason is reported when the block is read
			}
		}
		t := d.Table(b, fmt.Sprintf("%s[%d]", b.Name, i), titled(b.Name, i, values), values)
		d.lookFor(first, t, KeysOf(t.Known))
	}
}

// lookFor checks a table and the tables in it.
func (d *Document) lookFor(first *unknownKey, t *Reader, known []string) {
	for key, v := range t.Values {
		if !slices.Contains(known, key) {
			position, ok := d.KeysAt[t.join(key)]
			if !ok {
				position = d.KeysAt[t.join(key)+"[0]"]
			}
			if first.at < 0 || position.key < first.at {
				*first = unknownKey{position.key, d.unknown(t, key, known)}
			}
			continue
		}
		inside, isTable := v.(map[string]any)
		for i := range t.Known {
			if b := t.Known[i].Sub; b != nil && t.Known[i].Name == key && isTable {
				d.lookFor(first, d.Table(b, t.join(key), key, inside), KeysOf(b.Keys))
			}
		}
	}
}

// unknown returns the message that a table has no such key, with the key that
// may be meant.
func (d *Document) unknown(t *Reader, key string, known []string) string {
	msg := fmt.Sprintf("unknown key %q", key)
	if t.Title != "" {
		msg = t.Title + ": " + msg
	}
	if t.Name == "joint" && key == "bedding" {
		return msg + ": a joint has one direction and one strength; for a body whose strength depends on direction, give bedding in a [[fracture]]"
	}
	if m := cmp.Or(Synonym(key, known), Suggestion(key, known)); m != "" {
		return msg + m
	}
	others := d.blocksWith(key, t.Name)
	if others == "" {
		return msg + Nearest(key, known)
	}
	if msg += others; t.Title != "" {
		msg += "; here" + strings.TrimPrefix(Nearest(key, known), ":")
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
func (d *Document) blocksWith(key, block string) string {
	var in []string
	for _, b := range d.schema {
		subs := []*Block{b}
		for _, k := range b.Keys {
			if k.Sub != nil {
				subs = append(subs, k.Sub)
			}
		}
		for _, b := range subs {
			if b.Name != block && slices.Contains(KeysOf(b.Keys), key) {
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

// Nearest suggests a similar name, or lists all names if none is similar.
func Nearest(name string, known []string) string {
	if m := Suggestion(name, known); m != "" || len(known) == 0 {
		return m
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if more := len(sorted) - maxListed; more > 0 {
		return fmt.Sprintf(": there are %s and %d more", Quoted(sorted[:maxListed]), more)
	}
	return ": there are " + Quoted(sorted)
}

// maxListed is the greatest number of names in a message.
const maxListed = 30

// Suggestion returns a similar name, "" for none. A third of its letters may
// differ, in a short name only one, and capitals do not matter.
func Suggestion(name string, known []string) string {
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
