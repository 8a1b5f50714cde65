package main

import (
	"fmt"
	"html"
	"strings"

	"fdem/examples/published"
)

// verification solves the published problems, as fdem verify does, and returns the page
// of results.
func (s *site) verification() (string, error) {
	if !s.verify {
		return "<p>Not computed in this build of the manual: <code>fdem verify</code> does it.</p>", nil
	}
	var b strings.Builder
	esc := html.EscapeString
	for _, p := range published.Problems {
		solved, err := p.At(nil)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, err)
		}
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<p class=\"source\">%s</p>\n<table>\n<tr><th>case</th><th>quantity</th><th>given</th><th>known</th><th>computed</th><th>error</th><th>tolerance</th><th></th></tr>\n", esc(p.Name), esc(p.Title), esc(p.Source))
		for _, r := range solved.Rows {
			given, allowed, verdict := "", "shown", ""
			if r.Given != 0 {
				given = fmt.Sprintf("%g", r.Given)
			}
			if r.Tolerance != 0 {
				allowed = fmt.Sprintf("%.2g", r.Tolerance)
			}
			if !r.Met() {
				verdict = "<span class=\"missed\">missed</span> "
			}
			quantity := r.Quantity
			if r.Unit != "1" {
				quantity += " [" + r.Unit + "]"
			}
			fmt.Fprintf(&b, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%.6g</td><td>%.6g</td><td>%.1g</td><td>%s</td><td>%s%s</td></tr>\n",
				esc(r.Case), esc(quantity), given, r.Known, r.Computed, r.Computed-r.Known, allowed, verdict, esc(r.Note))
		}
		b.WriteString("</table>\n")
	}
	return b.String(), nil
}
