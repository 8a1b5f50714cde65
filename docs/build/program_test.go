package main

import (
	"os"
	"strings"
	"testing"
)

// The program of the manual is the one that a test runs, in at most 60 lines.
func TestProgramOfTheManual(t *testing.T) {
	page, err := os.ReadFile("../program.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("../program/main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	if block, _, _ := strings.Cut(rest, "```"); block != string(program) {
		t.Error("docs/program.md and docs/program/main.go differ")
	}
	if n := strings.Count(string(program), "\n"); n > 60 {
		t.Errorf("the program has %d lines, want at most 60", n)
	}
}
