package view

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/throw"
)

// reportRows is the greatest number of rows of the history in a report.
func reportRows(columns int) int { return rowsOf(columns, 400_000, 5000) }

// thinning is the reduction of the results for a report.
type thinning struct {
	plain bool // only fields that frames have
	basic bool // only fields marked as basic
	round bool // numbers to 12 bits: one part in 4000
	every int  // interval of frames
}

// WriteReport writes the page with all its data, thinned to about limit bytes.
// It returns the texts about left out data, which the page also has. Of other runs it has the history.
func WriteReport(w io.Writer, s *Several, limit int) (notes []string, err error) {
	defer throw.Catch(&err)
	f := s.Folder
	meta := s.Meta()
	if f.static == nil {
		return nil, fmt.Errorf("%s has no frame yet", f.dir)
	}
	t, notes := f.choose(meta, limit)
	meta.Live, meta.Notes, meta.Scanned = false, notes, 0
	meta.Fields = t.fields(meta.Fields)
	kept := t.frames(len(meta.Times), meta.Start)
	meta.Start = slices.Index(kept, meta.Start)
	times, contact := meta.Times, meta.Contact
	meta.Times, meta.Contact = nil, 0
	for _, i := range kept {
		meta.Times = append(meta.Times, times[i])
		if i < contact {
			meta.Contact++
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	writePage(out, meta.Title, func(w io.Writer) {
		for _, name := range meta.static() {
			embed(w, name, f.staticBlob(name))
		}
		rows := history.Thin(f.History().Rows, reportRows(len(meta.Columns)))
		meta.Rows = len(rows)
		embed(w, "history", historyBlob(rows))
		for k, r := range s.Others {
			embed(w, fmt.Sprintf("other/%d/history", k), historyBlob(history.Thin(r.History().Rows, reportRows(len(meta.Others[k].Columns)))))
		}
		for k, i := range kept {
			f.frame(i, meta.Fields, meta.Cracks, t, func(kind, name string, b Blob) {
				embed(w, kind+"/"+strconv.Itoa(k)+"/"+name, b)
			})
			meta.include(f.measure(i), k)
			meta.Scanned++
		}
		data := throw.Must(json.Marshal(meta))
		throw.Must(fmt.Fprintf(w, "<script type=\"application/json\" id=\"meta\">%s</script>\n", data))
	})
	return notes, out.Flush()
}

// WriteBeside writes the reports of some runs side by side in one page, each thinned to its share of
// limit bytes. It returns the texts about left out data, with the runs' names.
func WriteBeside(w io.Writer, s *Several, limit int) (notes []string, err error) {
	defer throw.Catch(&err)
	runs := s.all()
	out := bufio.NewWriterSize(w, 1<<16)
	writeBeside(out, guard.ReportMark, runs, func(k int) string {
		var page bytes.Buffer
		r := &runs[k]
		for _, n := range throw.Must(WriteReport(&page, &Several{Folder: r.Folder, Name: r.Name}, limit/len(runs))) {
			notes = append(notes, r.Name+": "+n)
		}
		return "srcdoc=\"" + strings.NewReplacer("&", "&amp;", "\"", "&quot;").Replace(page.String()) + "\""
	})
	return notes, out.Flush()
}

// writeBeside writes the page of several runs side by side. source returns the attribute of a frame
// that says what it shows; a mark tells what wrote the file, "" for none.
func writeBeside(w io.Writer, mark string, runs []Run, source func(k int) string) {
	before, after, _ := strings.Cut(strings.Replace(besideHTML, "<!-- mark -->", mark, 1), "<!-- runs -->\n")
	throw.Must(io.WriteString(w, before))
	for k, r := range runs {
		name := html.EscapeString(r.Name)
		throw.Must(fmt.Fprintf(w, "<figure><figcaption>%s</figcaption><iframe %s title=\"%s\"></iframe></figure>\n", name, source(k), name))
	}
	throw.Must(io.WriteString(w, after))
}

// staticBlob returns a blob that no frame changes.
func (f *Folder) staticBlob(name string) Blob {
	b, err := f.Blob(name)
	if err != nil {
		throw.If(fmt.Errorf("%s: %w", name, err))
	}
	return b
}

// static names the blobs that no frame changes.
func (m Meta) static() []string {
	out := []string{"points", "triangles", "body", "node_id", "element_id", "outline"}
	if len(m.Surfaces) > 0 {
		out = append(out, "contact")
	}
	if len(m.Cracks) > 0 {
		out = append(out, "cracks")
	}
	if m.Springs > 0 {
		out = append(out, "springs")
	}
	for i := range m.Surfaces {
		out = append(out, fmt.Sprintf("surface/%d/order", i), fmt.Sprintf("surface/%d/along", i))
	}
	return out
}

func (t thinning) fields(all []Field) []Field {
	return slices.DeleteFunc(slices.Clone(all), func(v Field) bool { return t.basic && !v.basic || t.plain && v.from != "" })
}

// frames returns the frames at an interval, always with the last one and the
// first displayed one.
func (t thinning) frames(n, start int) []int {
	var out []int
	for i := range n {
		if i%t.every == 0 || i == n-1 || i == start {
			out = append(out, i)
		}
	}
	return out
}

// frame passes on the blobs of a frame.
func (f *Folder) frame(i int, fields, cracks []Field, t thinning, put func(kind, name string, b Blob)) {
	names := []struct{ kind, name string }{}
	exact := map[string]bool{} // looked up only
	for _, v := range fields {
		exact[v.Name] = v.Pieces
		kind := "frames"
		if v.On == "contact" {
			kind = "contact"
		}
		names = append(names, struct{ kind, name string }{kind, v.Name})
		if v.On == "contact" && v.Name == "pressure" {
			names = append(names, struct{ kind, name string }{kind, "displacement"})
		}
	}
	for _, v := range cracks {
		names = append(names, struct{ kind, name string }{"cracks", v.Name})
	}
	for _, v := range [][2]string{{"springs", "displacement"}, {"thrust", "lines"}, {"contact_points", "forces"}, {"charts", "curves"}} {
		names = append(names, struct{ kind, name string }{v[0], v[1]})
	}
	for _, v := range names {
		b, err := f.Blob(v.kind + "/" + strconv.Itoa(i) + "/" + v.name)
		if errors.Is(err, errNone) {
			continue
		}
		throw.If(err)
		if t.round && !exact[v.name] && v.kind != "charts" {
			round(b.Data)
		}
		put(v.kind, v.name, b)
	}
}

// round rounds float32 numbers to 12 significant bits.
func round(data []byte) {
	for i := 0; i+4 <= len(data); i += 4 {
		bits := uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16 | uint32(data[i+3])<<24
		if v := math.Float32frombits(bits); math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			continue
		}
		bits = (bits + 1<<11) &^ (1<<12 - 1)
		data[i], data[i+1], data[i+2], data[i+3] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
	}
}

// choose finds the least thinning that fits the limit, from the compressed size
// of some frames.
func (f *Folder) choose(meta Meta, limit int) (thinning, []string) {
	fixed := len(pageHTML) + len(uplotCSS) + len(pageCSS) + len(uplotJS) + len(solidsJS) + len(drawingJS) + len(sceneJS) + len(meshJS) + len(flatJS) + len(plotsJS) + len(marksJS) + len(beforeJS) + len(toolsJS) + len(overJS) + len(chartsJS) + len(pageJS) + 8*len(meta.Columns)*min(meta.Rows, reportRows(len(meta.Columns)))
	for _, name := range meta.static() {
		fixed += packedSize(f.staticBlob(name))
	}
	n := len(meta.Times)
	per := func(t thinning) int {
		sum := 0
		sample := min(n, 6)
		for k := range sample {
			f.frame((2*k+1)*n/(2*sample), t.fields(meta.Fields), meta.Cracks, t, func(_, _ string, b Blob) { sum += packedSize(b) })
		}
		return sum / sample
	}
	var t thinning
	var each int
	for _, t = range []thinning{{every: 1}, {plain: true, every: 1}, {plain: true, basic: true, every: 1}, {plain: true, basic: true, round: true, every: 1}} {
		each = per(t)
		if fixed+n*each <= limit {
			break
		}
	}
	for fixed+len(t.frames(n, meta.Start))*each > limit && t.every < n {
		t.every++
	}
	notes := []string{}
	if t.plain {
		kept := t.fields(meta.Fields)
		var out []string
		for _, v := range meta.Fields {
			if !slices.ContainsFunc(kept, func(k Field) bool { return k.Key() == v.Key() }) {
				out = append(out, v.Label)
			}
		}
		if len(out) > 0 {
			notes = append(notes, "Left out to keep the file small: "+strings.Join(out, ", ")+".")
		}
	}
	if t.round {
		notes = append(notes, "The values of the fields are rounded to one part in 4000.")
	}
	if kept := len(t.frames(n, meta.Start)); kept < n {
		notes = append(notes, fmt.Sprintf("Of %d frames this file has %d.", n, kept))
	}
	if most := reportRows(len(meta.Columns)); meta.Rows > most {
		notes = append(notes, fmt.Sprintf("The history is reduced from %d rows to about %d.", meta.Rows, most))
	}
	return t, notes
}

// embed writes a blob as an element: base64 of zlib of its bytes. All first
// bytes of the numbers come first, then all second ones and so on, which
// compresses better.
func embed(w io.Writer, name string, b Blob) {
	throw.Must(fmt.Fprintf(w, "<script type=\"text/plain\" data-blob=\"%s\" data-size=\"%d\">", name, b.Size))
	e := base64.NewEncoder(base64.StdEncoding, w)
	throw.Must(e.Write(pack(b)))
	throw.If(e.Close())
	throw.Must(io.WriteString(w, "</script>\n"))
}

func packedSize(b Blob) int { return base64.StdEncoding.EncodedLen(len(pack(b))) + 100 }

func pack(b Blob) []byte {
	n := len(b.Data) / b.Size
	planes := make([]byte, 0, len(b.Data))
	for k := range b.Size {
		for i := range n {
			planes = append(planes, b.Data[i*b.Size+k])
		}
	}
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(planes) // writing to a buffer does not fail
	_ = z.Close()
	return out.Bytes()
}
