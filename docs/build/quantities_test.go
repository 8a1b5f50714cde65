package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/solver/quantity"
)

// The manual has every quantity of the program's table, with its unit and in its place.
func TestManualListsEveryQuantity(t *testing.T) {
	out := t.TempDir()
	if err := build("..", out, false); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "postprocessing.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(data), `id="every-quantity"`)
	for _, q := range quantity.All {
		place := "<p><strong>" + strings.NewReplacer("<", "&lt;", ">", "&gt;", "`, `", "</code>, <code>").Replace(q.On.String())
		place = strings.Replace(strings.Replace(place, "`", "<code>", 1), "`", "</code>", 1)
		_, table, found := strings.Cut(list, place)
		table, _, _ = strings.Cut(table, "</table>")
		if row := "<td><code>" + q.Name + "</code></td>\n<td>" + q.Unit + "</td>"; !found || !strings.Contains(table, row) {
			t.Errorf("the manual does not list %s of %v", q.Name, q.On)
		}
	}
}
