package fdem_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// mostKnotted is the greatest number of files of a package of which each leads to each other by the
// names that it uses: who reads one of them reads all.
const mostKnotted = 12

// stillKnotted names the packages that have more, with their number. It may fall and not rise.
var stillKnotted = map[string]int{
	"cmd/fdem": 38, "contactnodes": 34, "contactnodes/spheres": 13, "examples/published": 18, "fem": 22,
	"fem/fracture": 19, "io/deck": 43, "io/results": 16, "io/view": 16, "solver": 17,
}

// No package has a knot of more files than a reader takes in.
func TestFilesAreNoKnots(t *testing.T) {
	folders := map[string][]*ast.File{}
	eachSource(t, func(path string, _ *token.FileSet, source *ast.File) {
		folder := filepath.ToSlash(filepath.Dir(path))
		folders[folder] = append(folders[folder], source)
	})
	for folder, files := range folders {
		n, most := greatestKnot(uses(files)), mostKnotted
		if of, is := stillKnotted[folder]; is {
			most = of
			if n <= mostKnotted {
				t.Errorf("%s has no knot any more: take it out of stillKnotted", folder)
			}
		}
		if n > most {
			t.Errorf("%d files of %s use each other's names in circles, at most %d may", n, folder, most)
		}
	}
}

// uses returns for every file of a package the files whose names it uses: functions, types, values,
// and methods whose name only one file of the package declares.
func uses(files []*ast.File) [][]int {
	declared, methods := map[string]int{}, map[string]int{}
	const several = -1
	for i, f := range files {
		for name := range f.Scope.Objects {
			declared[name] = i
		}
		for _, d := range f.Decls {
			if d, is := d.(*ast.FuncDecl); is && d.Recv != nil {
				if of, known := methods[d.Name.Name]; known && of != i {
					methods[d.Name.Name] = several
				} else {
					methods[d.Name.Name] = i
				}
			}
		}
	}
	out := make([][]int, len(files))
	for i, f := range files {
		use := func(of map[string]int, name string) {
			if j, known := of[name]; known && j != i && j != several && !slices.Contains(out[i], j) {
				out[i] = append(out[i], j)
			}
		}
		for _, name := range f.Unresolved {
			use(declared, name.Name)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, is := n.(*ast.SelectorExpr); is {
				use(methods, s.Sel.Name)
			}
			return true
		})
	}
	return out
}

// greatestKnot returns the size of the greatest strongly connected set (R. E. Tarjan, SIAM J. Comput.
// 1 (1972) 146).
func greatestKnot(to [][]int) (most int) {
	index, low, on := make([]int, len(to)), make([]int, len(to)), make([]bool, len(to))
	var stack []int
	next := 0
	var visit func(v int)
	visit = func(v int) {
		next++
		index[v], low[v], on[v] = next, next, true
		stack = append(stack, v)
		for _, w := range to[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] < index[v] {
			return
		}
		size := 0
		for done := false; !done; size++ {
			w := stack[len(stack)-1]
			stack, on[w] = stack[:len(stack)-1], false
			done = w == v
		}
		most = max(most, size)
	}
	for v := range to {
		if index[v] == 0 {
			visit(v)
		}
	}
	return most
}
