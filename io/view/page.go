package view

import (
	_ "embed" // the page's files
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
	//go:embed page/solids.js
	solidsJS string
	//go:embed page/mesh.js
	meshJS string
	//go:embed page/flat.js
	flatJS string
	//go:embed page/plots.js
	plotsJS string
	//go:embed page/over.js
	overJS string
	//go:embed page/charts.js
	chartsJS string
	//go:embed page/marks.js
	marksJS string
	//go:embed page/before.js
	beforeJS string
	//go:embed page/tools.js
	toolsJS string
	//go:embed page/drawing.js
	drawingJS string
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
		"/* script */", uplotJS+"\n"+solidsJS+sceneJS+meshJS+flatJS+plotsJS+overJS+chartsJS+marksJS+beforeJS+drawingJS+toolsJS+pageJS)
	throw.Must(fill.WriteString(w, before))
	if data != nil {
		data(w)
	}
	throw.Must(fill.WriteString(w, after))
}
