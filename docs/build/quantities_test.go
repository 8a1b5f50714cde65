package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"fdem/solver/quantity"
)

// The manual's list of quantities is the program's table.
func TestManualListsEveryQuantity(t *testing.T) {
	var b strings.Builder
	b.WriteString("| quantity | unit | where | what |\n|---|---|---|---|\n")
	for _, q := range quantity.All {
		fmt.Fprintf(&b, "| `%s` | %s | %v | %s |\n", q.Name, q.Unit, q.On, q.Label)
	}
	page, err := os.ReadFile("../postprocessing.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), b.String()) {
		t.Errorf("docs/postprocessing.md does not hold this table, under \"Every quantity\":\n\n%s", b.String())
	}
}
