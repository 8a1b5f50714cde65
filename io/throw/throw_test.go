package throw

import (
	"errors"
	"strconv"
	"testing"
)

func TestCatch(t *testing.T) {
	sum := func(texts ...string) (n int, err error) {
		defer Catch(&err)
		for _, s := range texts {
			n += Must(strconv.Atoi(s))
		}
		return n, nil
	}
	if n, err := sum("1", "2"); n != 3 || err != nil {
		t.Errorf("1 and 2: %d, %v", n, err)
	}
	if _, err := sum("1", "two"); !errors.Is(err, strconv.ErrSyntax) {
		t.Errorf("1 and two: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("another panic was caught")
		}
	}()
	_, _ = func() (n int, err error) {
		defer Catch(&err)
		var none []int
		return none[len(none)], nil
	}()
}
