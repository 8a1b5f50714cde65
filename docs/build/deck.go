package main

import (
	"fmt"
	"html"
	"strings"

	"fdem/io/deck"
)

// deckReference returns a table for every block that a deck can have.
func deckReference() (string, error) {
	var b strings.Builder
	esc := html.EscapeString
	for _, block := range deck.Reference() {
		id := "block-" + strings.NewReplacer(".", "-", " ", "-").Replace(block.Name)
		fmt.Fprintf(&b, "<h3 id=\"%s\"><code>%s</code></h3>\n<p>%s</p>\n<table>\n<tr><th>key</th><th>value</th><th>default</th><th>meaning</th></tr>\n", id, esc(block.Header()), esc(block.Doc))
		for _, k := range block.Keys {
			fmt.Fprintf(&b, "<tr><td><code>%s</code></td><td>%s</td><td>%s</td><td>%s</td></tr>\n", esc(k.Name), esc(k.Value()), esc(k.Without()), esc(k.About()))
		}
		b.WriteString("</table>\n")
	}
	return b.String(), nil
}
