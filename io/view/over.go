package view

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/throw"
	"fdem/solver/quantity"

	"gonum.org/v1/plot/vg/draw"
)

// Over draws columns of the histories of some results folders over another column, all in
// one picture, which it writes into dir as PNG and SVG. It returns the paths. It fails
// for a column that a folder does not have, and for columns of different units.
func Over(folders []string, dir, x string, ys []string) (out []string, err error) {
	defer throw.Catch(&err)
	var drawn []line
	var across, up quantity.Column
	runs := runNames(folders)
	for i, folder := range folders {
		path := throw.Must(guard.Path(folder, "history.csv", guard.Large))
		header := throw.Must(history.Header(path))
		columns := columnsOf(readDeck(folder), header)
		names := append([]string{x}, ys...)
		values, err := history.Columns(path, names)
		if err != nil {
			throw.If(fmt.Errorf("%w; there are %s", err, strings.Join(header, ", ")))
		}
		find := func(name string) quantity.Column { return columns[slices.Index(header, name)] }
		across = find(x)
		for k, name := range ys {
			c := find(name)
			if up.Quantity != nil && up.Unit != c.Unit {
				throw.If(fmt.Errorf("%s has the unit %s and %s the unit %s: draw them in two pictures", ys[0], unitName(up.Unit), name, unitName(c.Unit)))
			}
			up = c
			label := c.Line()
			switch run := runs[i]; {
			case len(folders) > 1 && len(ys) > 1:
				label = run + ": " + label
			case len(folders) > 1:
				label = run
			case len(ys) == 1:
				label = ""
			}
			if i*len(ys)+k >= maxLines {
				throw.If(fmt.Errorf("more than %d curves do not fit in one picture: name fewer columns or runs", maxLines))
			}
			x, y := thinned(values[0], values[k+1])
			drawn = append(drawn, line{name: label, x: x, y: y})
		}
	}
	titles := make([]string, len(ys))
	for i, name := range ys {
		titles[i] = strings.ReplaceAll(name, "_", " ")
	}
	title := strings.Join(titles, ", ") + " over " + strings.ReplaceAll(x, "_", " ")
	p := curves(title, across.Line(), across.Unit, up.Unit, drawn, math.NaN())
	if len(ys) == 1 {
		p.Y.Label.Text = strings.TrimSpace(up.Line() + bracketed(p.Y.Label.Text))
	}
	throw.If(os.MkdirAll(dir, 0o755))
	for _, format := range []string{"png", "svg"} {
		path := filepath.Join(dir, fileName(strings.Join(ys, "-")+"-over-"+x)+"."+format)
		throw.If(saveCanvas(path, format, curvesWidth, curvesHeight, func(c draw.Canvas) { p.Draw(c) }))
		out = append(out, path)
	}
	return out, nil
}

func bracketed(unit string) string {
	if unit == "" {
		return ""
	}
	return " (" + unit + ")"
}

func unitName(unit string) string { return cmp.Or(unit, "plain numbers") }

// runNames returns the names of results folders in a legend: the ends of their paths,
// long enough to distinguish them.
func runNames(folders []string) []string {
	names, rest := make([]string, len(folders)), make([]string, len(folders))
	for i, folder := range folders {
		rest[i] = filepath.Clean(folder)
		names[i] = strings.TrimSuffix(filepath.Base(rest[i]), ".out")
	}
	for {
		counts, longer := map[string]int{}, false
		for _, name := range names {
			counts[name]++
		}
		for i := range names {
			up := filepath.Dir(rest[i])
			if base := filepath.Base(up); counts[names[i]] > 1 && base != "." && base != ".." && up != filepath.Dir(up) {
				names[i], rest[i], longer = base+"/"+names[i], up, true
			}
		}
		if !longer {
			return names
		}
	}
}

// fileName replaces characters that file names should not have by a hyphen.
func fileName(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>| ", r) || r < ' ' {
			return '-'
		}
		return r
	}, text)
}

// columnsOf returns the descriptions of a history's columns, with the units of the deck's
// curves and probes.
func columnsOf(deck []DeckRow, header []string) []quantity.Column {
	out := quantity.Read(header)
	blocks := blocksOf(deck)
	for _, b := range blocks["curve"] {
		if i := slices.Index(header, b["name"]); i >= 0 {
			out[i] = quantity.Column{Quantity: &quantity.Quantity{On: quantity.Run, Name: b["name"], Unit: b["unit"], Label: b["name"], Plot: quantity.Curves}}
		}
	}
	for _, b := range blocks["probe"] {
		q := quantity.Of(quantity.Probe, cmp.Or(b["quantity"], "displacement"))
		if q == nil {
			continue
		}
		for _, part := range q.Parts() {
			if i := slices.Index(header, b["name"]+"."+part); i >= 0 {
				c := *q
				if part == "omega" {
					c.Unit = "rad/s"
				}
				out[i] = quantity.Column{Quantity: &c, Owner: b["name"], Part: part}
			}
		}
	}
	return out
}

// blocksOf collects the texts of the blocks of a deck by their name.
func blocksOf(deck []DeckRow) map[string][]map[string]string {
	out := map[string][]map[string]string{}
	for _, r := range deck {
		if r.Start {
			out[r.Section] = append(out[r.Section], map[string]string{})
		}
		if n := len(out[r.Section]); n > 0 {
			out[r.Section][n-1][r.Key] = unquoted(r.Value)
		}
	}
	return out
}

// thinned returns the points of a curve, at most about drawnRows of them.
func thinned(x, y []float64) (_, _ []float64) {
	if len(x) <= drawnRows {
		return x, y
	}
	t := history.NewThinned(drawnRows)
	for i := range x {
		t.Add([]float64{x[i], y[i]})
	}
	x, y = nil, nil
	for _, row := range t.Rows() {
		x, y = append(x, row[0]), append(y, row[1])
	}
	return x, y
}
