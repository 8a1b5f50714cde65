package main

import (
	"bytes"
	"fmt"
	"strings"

	"fdem/solver/quantity"
)

// quantities returns a table of the quantities in results for each of their places.
func (s *site) quantities() (string, error) {
	var b strings.Builder
	for on := quantity.Run; on <= quantity.Summary; on++ {
		fmt.Fprintf(&b, "\n**%v**\n\n| quantity | unit | what |\n|---|---|---|\n", on)
		for _, q := range quantity.All {
			if q.On == on {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", q.Name, q.Unit, q.Label)
			}
		}
	}
	var made bytes.Buffer
	err := s.md.Convert([]byte(b.String()), &made)
	return made.String(), err
}
