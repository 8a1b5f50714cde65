package view

import (
	"path/filepath"
	"strconv"
	"strings"

	"fdem/io/guard"
)

// DeckRow is a line of the deck's table.
type DeckRow struct {
	Section string `json:"section"` // "material", "body"; empty at the top
	Start   bool   `json:"start"`   // begins a section
	Key     string `json:"key"`
	Value   string `json:"value"` // as written
}

// readDeck reads the deck in a run's folder, or else the deck whose default
// folder this is.
func readDeck(dir string) []DeckRow {
	data, err := guard.Read(dir, "deck.toml", guard.Text)
	if err != nil {
		stem, ok := strings.CutSuffix(filepath.Clean(dir), ".out")
		if !ok {
			return []DeckRow{}
		}
		if data, err = guard.Read(filepath.Dir(stem), filepath.Base(stem)+".toml", guard.Text); err != nil {
			return []DeckRow{}
		}
	}
	return deckRows(string(data))
}

// deckText returns a text of the deck, "" if it is missing.
func deckText(rows []DeckRow, section, key string) string {
	for _, r := range rows {
		if r.Section != section || r.Key != key {
			continue
		}
		return unquoted(r.Value)
	}
	return ""
}

// unquoted removes the quotes of a text in TOML.
func unquoted(value string) string {
	if text, err := strconv.Unquote(value); err == nil && value[0] == '"' {
		return text
	}
	return strings.Trim(value, `"'`)
}

// deckRows returns the rows of a valid deck, without comments. A value over
// several lines is put in one line.
func deckRows(text string) []DeckRow {
	out := []DeckRow{}
	section, start := "", true
	open := 0 // open brackets of a value that continues
	for line := range strings.Lines(text) {
		line, depth := uncomment(line)
		switch {
		case line == "":
		case open > 0:
			out[len(out)-1].Value += " " + line
			open += depth
		case line[0] == '[':
			section, start = strings.Trim(line, "[] "), true
		default:
			key, value, _ := strings.Cut(line, "=")
			out = append(out, DeckRow{section, start, strings.TrimSpace(key), strings.TrimSpace(value)})
			start, open = false, depth
		}
	}
	return out
}

// uncomment removes a comment and spaces from a line, and counts the brackets
// that it opens.
func uncomment(line string) (string, int) {
	quote, depth := rune(0), 0
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return strings.TrimSpace(line[:i]), depth
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return strings.TrimSpace(line), depth
}
