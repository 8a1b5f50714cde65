package cases

import (
	"strings"
	"testing"
)

// A case of its own kind is left out with -all, too, and a test without it; the command that runs it
// names the package and the test.
func TestOneInSoManyRuns(t *testing.T) {
	defer func(was bool) { *all = was }(*all)
	*all = true
	if LeftOut(t, 6, 3) || !LeftOut(t, 7, 3) || LeftOut(t, 7, 3, true) {
		t.Error("one in three does not stand for its like")
	}
	if got := command(t, "whole"); got != "go test ./examples/cases -whole -run '^TestOneInSoManyRuns$'" {
		t.Errorf("the command is %s", got)
	}
	for _, with := range []bool{true, false} {
		*all = with
		skipped := true
		t.Run("seconds", func(t *testing.T) {
			WithAll(t)
			skipped = false
		})
		if skipped == with || !strings.HasPrefix(folder(), "./") {
			t.Errorf("skipped %v with -all=%v", skipped, with)
		}
	}
}
