package main

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// Colours of a terminal.
const (
	red    = "31;1"
	yellow = "33"
)

// painter returns a function that colours text for out. It does so only on a
// terminal that can show colours, and not if the user has set NO_COLOR
// (https://no-color.org).
func painter(out io.Writer) func(colour, text string) string {
	if !isTerminal(out) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return func(_, text string) string { return text }
	}
	return func(colour, text string) string {
		if text == "" {
			return ""
		}
		return "\x1b[" + colour + "m" + text + "\x1b[0m"
	}
}

func isTerminal(out io.Writer) bool {
	f, isFile := out.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}

// width returns the number of columns of a terminal, 0 if unknown.
func width(out io.Writer) int {
	if f, isFile := out.(*os.File); isFile {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}

// legible writes text without control characters for a terminal, since files may
// contain any text.
type legible struct{ io.Writer }

func (l legible) Write(p []byte) (int, error) {
	if _, err := io.WriteString(l.Writer, printable(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// printable returns text with a question mark for each control character, except
// ends of lines and tabs.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && unicode.IsControl(c) {
			return '?'
		}
		return c
	}, text)
}
