package mesh

import "slices"

// Alias is another name of groups. One of several groups is ambiguous, and means none.
type Alias struct {
	Name string
	Of   []string // names of groups
}

// AddAlias adds another name of the groups of a name.
func (s *Source) AddAlias(name, of string) {
	i := slices.IndexFunc(s.Aliases, func(a Alias) bool { return a.Name == name })
	if i < 0 {
		i, s.Aliases = len(s.Aliases), append(s.Aliases, Alias{Name: name})
	}
	if a := &s.Aliases[i]; !slices.Contains(a.Of, of) {
		a.Of = append(a.Of, of)
	}
}

// Use gives groups the other names that somebody uses. A group that is used by both of its
// names becomes two.
func (s *Source) Use(used func(name string) bool) {
	for _, a := range s.Aliases {
		if len(a.Of) != 1 || !used(a.Name) {
			continue
		}
		for i := range s.Groups {
			switch g := &s.Groups[i]; {
			case g.Name != a.Of[0]:
			case used(g.Name):
				double := *g
				double.Name, double.Number = a.Name, len(s.Groups)+1
				s.Groups = append(s.Groups, double)
			default:
				g.Name = a.Name
			}
		}
	}
}

// Ambiguous returns the names of the groups that a name may mean, none where it means at
// most one.
func (s *Source) Ambiguous(name string) []string {
	for _, a := range s.Aliases {
		if a.Name == name {
			return a.Of
		}
	}
	return nil
}
