package history

import (
	"slices"
	"strconv"
	"strings"
)

// A spreadsheet runs a cell that begins with one of these as a formula, whatever its file is.
const formulas = "=+-@\t\r"

// Cell returns a text as a cell of a CSV file. A text that a spreadsheet would take for a formula
// begins with an apostrophe; numbers stay as they are. Text is the inverse.
func Cell(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || !formula(text) {
		return text
	}
	return "'" + text
}

// Text returns the text of a cell.
func Text(cell string) string {
	if after, is := strings.CutPrefix(cell, "'"); is && formula(after) {
		return after
	}
	return cell
}

// formula tells whether a text is a formula behind any apostrophes.
func formula(text string) bool {
	text = strings.TrimLeft(text, "'")
	return text != "" && strings.ContainsAny(text[:1], formulas)
}

// Cells returns texts as cells of a CSV file, see Cell.
func Cells(texts []string) []string {
	out := slices.Clone(texts)
	for i, t := range out {
		out[i] = Cell(t)
	}
	return out
}
