package abaqus

import (
	"math"
	"slices"
	"strings"

	"fdem/materials/elementary"
)

// generation is a line of *NGEN, *NFILL or *ELGEN, or all of an *NCOPY or *ELCOPY. They are
// carried out when all of the file has been read, since they may stand before what they
// begin from; nodes first, each in the order of the file.
type generation struct {
	keyword string
	options map[string]string
	fields  []string
	rows    [][]float64
	at      position
}

// mostGenerated is the most nodes and elements that a file may generate.
const mostGenerated = 20_000_000

// copying begins an *NCOPY or *ELCOPY.
func (p *parser) copying() {
	if p.keyword == "*NCOPY" {
		p.must("CHANGE NUMBER")
		p.newSet(nodes)
	} else {
		p.must("ELEMENT SHIFT")
		p.newSet(elements)
	}
	p.must("OLD SET")
	p.at.later = append(p.at.later, generation{keyword: p.keyword, options: p.options, at: p.line})
}

// newSet begins the set that NEW SET names.
func (p *parser) newSet(kind setKind) {
	if name := p.options["NEW SET"]; name != "" {
		p.set(name, kind)
	}
}

// generate carries out the generations of a part.
func (p *parser) generate(in *part) {
	p.at = in
	for _, round := range []string{"*N", "*E"} {
		for i := range in.later {
			g := &in.later[i]
			if !strings.HasPrefix(g.keyword, round) {
				continue
			}
			p.line, p.options, p.keyword = g.at, g.options, g.keyword
			switch g.keyword {
			case "*NGEN":
				p.between(in, g.fields)
			case "*NFILL":
				p.fill(in, g.fields)
			case "*NCOPY":
				p.copyNodes(in, g)
			case "*ELGEN":
				p.repeat(in, g.fields)
			case "*ELCOPY":
				p.copyElements(in, g)
			}
		}
	}
}

// count counts what is generated.
func (p *parser) count(n int64) {
	if n < 0 || n > mostGenerated || int64(p.made)+n > mostGenerated {
		p.fail("%s generates more than %d nodes and elements", p.keyword, mostGenerated)
	}
	p.made += int(n)
}

// optional reads a whole number that may be absent.
func (p *parser) optional(fields []string, i int, otherwise int64) int64 {
	if i >= len(fields) || fields[i] == "" {
		return otherwise
	}
	return p.whole(fields[i], "a whole number")
}

// place returns the position of a node that a generation begins from.
func (p *parser) place(in *part, id int64) [3]float64 {
	k, ok := in.nodes[id]
	if !ok {
		p.fail("%s begins from node %d, which is not in the file", p.keyword, id)
	}
	return in.x[k]
}

// between generates nodes between two: on a line, a circle (LINE=C) or a parabola (LINE=P).
func (p *parser) between(in *part, fields []string) {
	if len(fields) < 2 {
		p.fail("*NGEN needs the numbers of two nodes")
	}
	first, last, by := p.whole(fields[0], "the number of a node"), p.whole(fields[1], "the number of a node"), p.optional(fields, 2, 1)
	if last < first && by > 0 {
		by = -by
	}
	if by == 0 || (last-first)%by != 0 || last == first {
		p.fail("*NGEN from node %d to %d by %d does not end at node %d", first, last, by, last)
	}
	n := (last - first) / by
	p.count(n)
	a, b := p.place(in, first), p.place(in, last)
	at := p.curve(in, fields, a, b)
	for k := int64(1); k < n; k++ {
		p.addNode(in, first+k*by, at(float64(k)/float64(n)))
	}
	if name := p.options["NSET"]; name != "" {
		s := p.set(name, nodes)
		s.items = append(s.items, item{from: min(first, last), to: max(first, last), by: max(by, -by)})
	}
}

// curve returns the position at a share of the way from a to b.
func (p *parser) curve(in *part, fields []string, a, b [3]float64) func(s float64) [3]float64 {
	along := func(s float64) (out [3]float64) {
		for c := range out {
			out[c] = float64((1-s)*a[c]) + float64(s*b[c])
		}
		return out
	}
	kind := strings.ToUpper(p.options["LINE"])
	if kind == "" {
		return along
	}
	p.systemOf()
	var extra, normal [3]float64
	if len(fields) > 3 && fields[3] != "" {
		extra = p.place(in, p.whole(fields[3], "the number of a node"))
	} else if len(fields) > 4 {
		extra = p.axes.global(p, p.cartesian([3]float64(p.numbers(fields[4:], 3))))
	} else {
		p.fail("*NGEN with LINE=%s needs a third point", kind)
	}
	if len(fields) > 7 {
		normal = [3]float64(p.numbers(fields[7:], 3))
	}
	switch kind {
	case "P": // the quadratic shape functions of the middle and the ends
		return func(s float64) (out [3]float64) {
			for c := range out {
				out[c] = float64((1-s)*(1-float64(2*s))*a[c]) + float64(s*(float64(2*s)-1)*b[c]) + float64(4*s*(1-s)*extra[c])
			}
			return out
		}
	case "C":
		return p.circle(a, b, extra, normal, along)
	}
	p.fail("*NGEN: expected LINE=C or LINE=P, found %.20q", p.options["LINE"])
	return nil
}

// circle returns positions on a circle in the plane about a centre: the shorter way, or that
// about the normal.
func (p *parser) circle(a, b, centre, normal [3]float64, along func(float64) [3]float64) func(s float64) [3]float64 {
	ra, rb := elementary.Hypot(a[0]-centre[0], a[1]-centre[1]), elementary.Hypot(b[0]-centre[0], b[1]-centre[1])
	if ra == 0 || math.Abs(ra-rb) > 1e-3*ra {
		p.fail("*NGEN with LINE=C: its ends have the distances %g and %g from the centre", ra, rb)
	}
	from := elementary.Atan2(a[1]-centre[1], a[0]-centre[0])
	turn := elementary.Atan2(b[1]-centre[1], b[0]-centre[0]) - from
	for turn > math.Pi {
		turn -= 2 * math.Pi
	}
	for turn <= -math.Pi {
		turn += 2 * math.Pi
	}
	switch {
	case normal[2] > 0 && turn < 0:
		turn += 2 * math.Pi
	case normal[2] < 0 && turn > 0:
		turn -= 2 * math.Pi
	case normal[2] == 0 && math.Abs(turn) > math.Pi*(1-1e-9):
		p.fail("*NGEN with LINE=C over half a circle needs a normal, which says on which side")
	}
	return func(s float64) [3]float64 {
		sin, cos := elementary.Sincos(from + float64(s*turn))
		r := ra + float64(s*(rb-ra))
		return [3]float64{centre[0] + float64(r*cos), centre[1] + float64(r*sin), along(s)[2]}
	}
}

// nodesOf returns the numbers of a node set of the part, ascending where it is not
// UNSORTED.
func (p *parser) nodesOf(in *part, name string) []int64 {
	if id, ok := in.named[setName{nodes, folded(name)}]; ok {
		s := &in.sets[id]
		var out []int64
		p.expand(in, s, 0, &out)
		if !s.unsorted {
			slices.Sort(out)
		}
		return unrepeated(out)
	}
	if it := asItem(name, ""); it.name == "" {
		return []int64{it.from}
	}
	p.fail("%s names the set %q, which is not in the file", p.keyword, name)
	return nil
}

// unrepeated returns numbers in their order, each once.
func unrepeated(list []int64) []int64 {
	seen := make(map[int64]bool, len(list))
	return slices.DeleteFunc(list, func(k int64) bool {
		had := seen[k]
		seen[k] = true
		return had
	})
}

// expand gathers the numbers of a set of nodes or elements of the part.
func (p *parser) expand(in *part, s *set, depth int, out *[]int64) {
	if depth > deepest {
		p.fail("set %q includes itself", s.name)
	}
	for i := range s.items {
		it := &s.items[i]
		if it.name == "" {
			for id := range in.numbers(it, s.kind) {
				_, isNode := in.nodes[id]
				_, isElement := in.elements[id]
				if s.kind == nodes && isNode || s.kind == elements && (isElement || in.left[id]) {
					*out = append(*out, id)
				}
			}
			continue
		}
		kind := s.kind
		if it.corners {
			kind = elements
		}
		k, ok := in.named[setName{kind, folded(it.name)}]
		if !ok {
			p.fail("set %q names the set %q, which is not in the file", s.name, it.name)
		}
		if !it.corners {
			p.expand(in, &in.sets[k], depth+1, out)
			continue
		}
		var cells []int64
		p.expand(in, &in.sets[k], depth+1, &cells)
		for _, id := range cells {
			if e, ok := in.elements[id]; ok {
				*out = append(*out, in.element[e].corners...)
			}
		}
	}
}

// fill generates nodes on the lines between those of two sets.
func (p *parser) fill(in *part, fields []string) {
	if len(fields) < 3 {
		p.fail("*NFILL needs two sets and a number of intervals")
	}
	if _, singular := p.options["SINGULAR"]; singular {
		p.fail("*NFILL with SINGULAR is not supported")
	}
	a, b := p.nodesOf(in, unquoted(fields[0])), p.nodesOf(in, unquoted(fields[1]))
	n, by := p.whole(fields[2], "a number of intervals"), p.optional(fields, 3, 1)
	if len(a) != len(b) {
		p.fail("*NFILL: set %q has %d nodes and set %q %d", unquoted(fields[0]), len(a), unquoted(fields[1]), len(b))
	}
	if n < 1 || by == 0 {
		p.fail("*NFILL: expected a number of intervals and an increment, found %d and %d", n, by)
	}
	p.count(n * int64(max(1, len(a))))
	share := p.biased(n)
	var all []item
	for i := range a {
		x, y := p.place(in, a[i]), p.place(in, b[i])
		all = append(all, item{from: a[i], to: a[i], by: 1}, item{from: b[i], to: b[i], by: 1})
		for k := int64(1); k < n; k++ {
			var at [3]float64
			for c := range at {
				at[c] = float64((1-share[k])*x[c]) + float64(share[k]*y[c])
			}
			p.addNode(in, a[i]+k*by, at)
			all = append(all, item{from: a[i] + k*by, to: a[i] + k*by, by: 1})
		}
	}
	if name := p.options["NSET"]; name != "" {
		s := p.set(name, nodes)
		s.items = append(s.items, all...)
	}
}

// biased returns the shares of the way at which the nodes of n intervals lie. BIAS is the
// ratio of an interval to the next; with TWO STEP, to the next but one.
func (p *parser) biased(n int64) []float64 {
	ratio, step := 1.0, int64(1)
	if text := p.options["BIAS"]; text != "" {
		if ratio = p.number(text, "a ratio"); ratio <= 0 {
			p.fail("*NFILL: BIAS must be positive, found %g", ratio)
		}
	}
	if _, two := p.options["TWO STEP"]; two {
		step = 2
	}
	out, length := make([]float64, n+1), 1.0
	for k := int64(1); k <= n; k++ {
		out[k] = out[k-1] + length
		if k%step == 0 {
			length /= ratio
		}
	}
	for k := range out {
		out[k] /= out[n]
	}
	if math.IsNaN(out[n]) || math.IsInf(out[n], 0) {
		p.fail("*NFILL: BIAS %g over %d intervals is out of range", ratio, n)
	}
	return out
}

// copyNodes copies a set of nodes: shifted and rotated, or reflected.
func (p *parser) copyNodes(in *part, g *generation) {
	shift := p.whole(p.options["CHANGE NUMBER"], "CHANGE NUMBER=")
	old := p.nodesOf(in, p.options["OLD SET"])
	p.count(int64(len(old)))
	to := p.copied(g)
	for _, id := range old {
		p.addNode(in, id+shift, to(p.place(in, id)))
		p.put("NEW SET", nodes, id+shift)
	}
}

// copied returns the motion of *NCOPY.
func (p *parser) copied(g *generation) func(x [3]float64) [3]float64 {
	row := func(k int) []float64 {
		if k < len(g.rows) {
			return g.rows[k]
		}
		return make([]float64, 9)
	}
	a, b := [3]float64(row(0)[:3]), [3]float64(row(0)[3:6])
	reflect := strings.ToUpper(p.options["REFLECT"])
	if _, shifted := p.options["SHIFT"]; shifted {
		times := 1.0
		if text := p.options["MULTIPLE"]; text != "" {
			times = float64(p.whole(text, "MULTIPLE="))
		}
		axis := row(1)
		from, d := [3]float64(axis[:3]), unit(minus([3]float64(axis[3:6]), [3]float64(axis[:3])))
		sin, cos := sincos(times * axis[6])
		return func(x [3]float64) (out [3]float64) { // the formula of Rodrigues
			v := minus([3]float64{x[0] + a[0], x[1] + a[1], x[2] + a[2]}, from)
			w, h := cross(d, v), dot(d, v)
			for c := range out {
				out[c] = from[c] + float64(cos*v[c]) + float64(sin*w[c]) + float64((1-cos)*h*d[c])
			}
			return out
		}
	}
	var base func(v [3]float64) [3]float64 // the part of x - a that stays
	switch reflect {
	case "POINT":
		base = func([3]float64) [3]float64 { return [3]float64{} }
	case "LINE":
		d := unit(minus(b, a))
		base = func(v [3]float64) [3]float64 { h := dot(d, v); return [3]float64{h * d[0], h * d[1], h * d[2]} }
	case "MIRROR":
		c := [3]float64(row(0)[6:9])
		if len(g.rows) > 1 { // the third point stands in a line of its own
			c = [3]float64(row(1)[:3])
		}
		n := unit(cross(minus(b, a), minus(c, a)))
		base = func(v [3]float64) [3]float64 {
			h := dot(n, v)
			return [3]float64{v[0] - float64(h*n[0]), v[1] - float64(h*n[1]), v[2] - float64(h*n[2])}
		}
	default:
		p.fail("*NCOPY needs SHIFT or REFLECT=LINE, MIRROR or POINT; others are not supported")
	}
	return func(x [3]float64) (out [3]float64) {
		v := minus(x, a)
		s := base(v)
		for c := range out {
			out[c] = a[c] + float64(2*s[c]) - v[c]
		}
		return out
	}
}

// repeat generates elements from one: rows of them, layers of rows.
func (p *parser) repeat(in *part, fields []string) {
	master := p.whole(fields[0], "the number of an element")
	var n, node, number [3]int64
	total := int64(1)
	for k := range n {
		n[k], node[k], number[k] = p.optional(fields, 3*k+1, 1), p.optional(fields, 3*k+2, 1), p.optional(fields, 3*k+3, 1)
		if n[k] < 1 || n[k] > mostGenerated {
			p.fail("*ELGEN: expected a number of elements, found %d", n[k])
		}
		total *= n[k]
		p.count(total - 1)
		p.made -= int(total - 1)
	}
	p.count(total - 1)
	for k := range total {
		at := [3]int64{k % n[0], k / n[0] % n[1], k / n[0] / n[1]}
		var ids, shift int64
		for c := range at {
			ids, shift = ids+at[c]*number[c], shift+at[c]*node[c]
		}
		if k > 0 {
			p.copyElement(in, master, ids, shift, false)
		}
		p.put("ELSET", elements, master+ids)
	}
}

// copyElement adds an element with numbers shifted from another's, in reverse where it is
// reflected.
func (p *parser) copyElement(in *part, id, by, nodes int64, reflect bool) {
	k, ok := in.elements[id]
	if !ok && in.left[id] {
		p.leave(id+by, "of *ELGEN and *ELCOPY")
		return
	}
	if !ok {
		p.fail("%s begins from element %d, which is not in the file", p.keyword, id)
	}
	e := in.element[k]
	e.id, e.at, e.corners = e.id+by, p.line, slices.Clone(e.corners)
	for i := range e.corners {
		e.corners[i] += nodes
	}
	if reflect {
		slices.Reverse(e.corners[1:e.sides])
	}
	p.addElement(e)
}

// copyElements copies a set of elements.
func (p *parser) copyElements(in *part, g *generation) {
	by, nodes := p.whole(g.options["ELEMENT SHIFT"], "ELEMENT SHIFT="), int64(0)
	if text := g.options["SHIFT NODES"]; text != "" {
		nodes = p.whole(text, "SHIFT NODES=")
	}
	name := g.options["OLD SET"]
	k, ok := in.named[setName{elements, folded(name)}]
	if !ok {
		p.fail("*ELCOPY names the set %q, which is not in the file", name)
	}
	var old []int64
	p.expand(in, &in.sets[k], 0, &old)
	p.count(int64(len(old)))
	_, reflect := g.options["REFLECT"]
	for _, id := range unrepeated(old) {
		p.copyElement(in, id, by, nodes, reflect)
		p.put("NEW SET", elements, id+by)
	}
}
