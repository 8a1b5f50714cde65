package cases

import (
	"strings"
	"testing"
)

// Without -all a case of its own kind is left out, and the command that runs it names the package
// and the test.
func TestWithoutAllOneInSoManyRuns(t *testing.T) {
	defer func(was bool) { *all = was }(*all)
	*all = false
	if LeftOut(t, 6, 3) || !LeftOut(t, 7, 3) || LeftOut(t, 7, 3, true) {
		t.Error("one in three does not stand for its like")
	}
	if got := command(t); got != "go test ./examples/cases -all -run '^TestWithoutAllOneInSoManyRuns$'" {
		t.Errorf("the command is %s", got)
	}
	*all = true
	if LeftOut(t, 7, 3) {
		t.Error("a case is left out with -all")
	}
	skipped := true
	t.Run("case", func(t *testing.T) {
		WithAll(t)
		skipped = false
	})
	if skipped || !strings.HasPrefix(folder(), "./") {
		t.Error("a case is skipped with -all")
	}
}
