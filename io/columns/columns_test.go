package columns_test

import (
	"slices"
	"strings"
	"testing"

	"fdem/io/columns"
	"fdem/io/deck"
	"fdem/io/tables"
)

func TestQuantities(t *testing.T) {
	_, err := columns.Scan("f.csv", strings.NewReader("\ufeff# from the press\ndeflection [um], pressure (MPa),force,name\n1, 2,3,a\n4 mm,5,6 kN,b\n"))
	if err == nil { // the mark stands before the comment sign here, so the comment is the header
		t.Fatal("a header of one column took rows of four")
	}
	tab, err := columns.Scan("f.csv", strings.NewReader("# from the press\ndeflection [um], pressure (MPa),force,name\n1, 2,3,a\n4,5,6,b\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		dim  tables.Dimension
		want []float64
	}{
		{"deflection", tables.Length, []float64{1e-6, 4e-6}},
		{"pressure", tables.Pressure, []float64{2e6, 5e6}},
		{"force", tables.Force, []float64{3, 6}},
	} {
		got, err := deck.Column(tab, c.name, c.dim)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if names, err := tab.Texts("name"); err != nil || !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("texts %v, %v", names, err)
	}
	if none, err := tab.Texts("none"); none != nil || err != nil || tab.Has("none") {
		t.Errorf("a missing column gave %v, %v", none, err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f.csv: no header line"},
		{"d\n", "f.csv: no rows under the header"},
		{"d;p\n1;2\n", `f.csv:1: columns must be separated by commas, got "d;p"`},
		{"\xff\xfed\x00", "f.csv: the file is in UTF-16: save it as UTF-8"},
		{"d,p\n1\n", "f.csv:2: wrong number of fields"},
		{"p\n1\n", `f.csv:1: no column is named "d": there are ["p"]`},
		{"d,d\n1,2\n", `f.csv:1: two columns are named "d"`},
		{"d [um]\n1\n\nx\n", `f.csv:4: column "d": expected a length such as "10 mm", got "x um"`},
		{"d [MPa]\n1\n", `f.csv:2: column "d": expected a length`},
		{"d [parsec]\n1\n", `f.csv:2: column "d": unknown unit "parsec"`},
		{"d\nnan\n", `f.csv:2: column "d": expected a length`},
	} {
		tab, err := columns.Scan("f.csv", strings.NewReader(c.text))
		if err == nil {
			_, err = deck.Column(tab, "d", tables.Length)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"d [um]\n1\n", "d,p\n1,2\n", "# x\nd(mm)\n\"1\"\n", "\ufeffd\n1\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tab, err := columns.Scan("f.csv", strings.NewReader(s))
		if err == nil {
			_, err = deck.Column(tab, "d", tables.Length)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.csv:") {
			t.Errorf("message %q does not name the file", err)
		}
	})
}
