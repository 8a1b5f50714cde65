package mesh

// Append adds the contents of another source. Its nodes and elements get the next
// numbers, and its groups join those of their name and dimension.
func (s *Source) Append(o *Source) {
	node, point, line, triangle := int32(len(s.X)), int32(len(s.Points)), int32(len(s.Lines)), int32(len(s.Triangles))
	for _, x := range o.X {
		s.AddNode(x)
	}
	for _, n := range o.Points {
		s.Points = append(s.Points, node+n)
	}
	for _, l := range o.Lines {
		s.AddLine(node+l[0], node+l[1])
	}
	for _, t := range o.Triangles {
		s.AddTriangle(node+t[0], node+t[1], node+t[2])
	}
	most := 0
	for _, g := range s.Groups {
		most = max(most, g.Number)
	}
	first := [3]int32{point, line, triangle}
	for _, g := range o.Groups {
		at := -1
		for i := range s.Groups {
			if s.Groups[i].Name == g.Name && s.Groups[i].Dim == g.Dim {
				at = i
			}
		}
		if at < 0 {
			most++
			at = len(s.Groups)
			s.Groups = append(s.Groups, SourceGroup{Name: g.Name, Dim: g.Dim, Number: most})
		}
		for _, e := range g.Elements {
			s.Groups[at].Elements = append(s.Groups[at].Elements, first[g.Dim]+e)
		}
	}
	s.Warnings = append(s.Warnings, o.Warnings...)
}
