package view

import (
	_ "embed" // the page's files
	"fmt"
	"html"
	"io"
	"strings"

	"fdem/io/guard"
	"fdem/io/throw"
)

var (
	//go:embed page/index.html
	pageHTML string
	//go:embed page/beside.html
	besideHTML string
	//go:embed page/style.css
	pageCSS string
	//go:embed page/scene.js
	sceneJS string
	//go:embed page/mesh.js
	meshJS string
	//go:embed page/flat.js
	flatJS string
	//go:embed page/plots.js
	plotsJS string
	//go:embed page/over.js
	overJS string
	//go:embed page/marks.js
	marksJS string
	//go:embed page/before.js
	beforeJS string
	//go:embed page/tools.js
	toolsJS string
	//go:embed page/page.js
	pageJS string
	//go:embed page/uplot/uPlot.iife.min.js
	uplotJS string
	//go:embed page/uplot/uPlot.min.css
	uplotCSS string
)

// writePage writes the self-contained page. data writes the elements with
// embedded data, nil for a page that loads data from its server.
func writePage(w io.Writer, title string, data func(io.Writer)) {
	before, after, _ := strings.Cut(pageHTML, "<!-- data -->\n")
	mark := ""
	if data != nil {
		mark = guard.ReportMark
	}
	fill := strings.NewReplacer("<!-- mark -->", mark, "<!-- title -->", html.EscapeString(title), "/* style */", uplotCSS+"\n"+pageCSS,
		"/* script */", uplotJS+"\n"+sceneJS+meshJS+flatJS+plotsJS+overJS+marksJS+beforeJS+toolsJS+pageJS)
	throw.Must(fill.WriteString(w, before))
	if data != nil {
		data(w)
	}
	throw.Must(fill.WriteString(w, after))
}

// writeBeside writes the page of several runs side by side. source returns the attribute of a frame
// that says what it shows; a mark tells what wrote the file, "" for none.
func writeBeside(w io.Writer, mark string, names []string, source func(k int) string) {
	before, after, _ := strings.Cut(strings.Replace(besideHTML, "<!-- mark -->", mark, 1), "<!-- runs -->\n")
	throw.Must(io.WriteString(w, before))
	for k, name := range names {
		name = html.EscapeString(name)
		throw.Must(fmt.Fprintf(w, "<figure><figcaption>%s</figcaption><iframe %s title=\"%s\"></iframe></figure>\n", name, source(k), name))
	}
	throw.Must(io.WriteString(w, after))
}
