package curves

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// replaced replaces the names of columns in an expression by variables, since names of
// columns may have dots and hyphens. It takes the longest name that fits. It returns
// the indices of the used names, ascending.
func replaced(text string, names []string) (out string, used []int) {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !ofName(before) {
			if k := longest(text[i:], names); k >= 0 {
				b.WriteString(variable(k))
				if !slices.Contains(used, k) {
					used = append(used, k)
				}
				i += len(names[k])
				before = 'v'
				continue
			}
		}
		b.WriteRune(r)
		before = r
		i += size
	}
	slices.Sort(used)
	return b.String(), used
}

// longest returns the index of the longest name with which a text begins and that ends
// where a name can end; -1 for none.
func longest(text string, names []string) int {
	best := -1
	for k, name := range names {
		rest, begins := strings.CutPrefix(text, name)
		if next, _ := utf8.DecodeRuneInString(rest); !begins || name == "" || rest != "" && ofName(next) {
			continue
		}
		if best < 0 || len(name) > len(names[best]) {
			best = k
		}
	}
	return best
}

// ofName tells whether a letter may stand in a name.
func ofName(r rune) bool {
	return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// variable returns the compiler's variable for the kth name.
func variable(k int) string { return fmt.Sprintf("column_%d_", k) }

// restored puts the names back into a message of the compiler.
func (s *Set) restored(said string, used []int) string {
	for _, k := range used {
		said = strings.ReplaceAll(said, variable(k), s.names[k])
	}
	return said
}
