package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Traces of a map far from the origin come into the region; layers and columns are chosen.
func TestTracesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"far.csv":  "x1,y1,x2,y2\n500001,4600001,500005,4600004\n500003,4600004,500008,4600002\n",
		"wide.csv": "x1,y1,x2,y2\n500007,4600007,500011,4600010\n500009,4600010,500014,4600008\n",
		"own.csv":  "a,b,c,d\n1000,1000,5000,4000\n3000,4000,8000,2000\n",
		"l.dxf":    strings.ReplaceAll("0 SECTION 2 ENTITIES 0 LINE 8 joints 10 1 20 1 11 5 21 4 0 LINE 8 joints 10 3 20 4 11 8 21 2 0 LINE 8 frame 10 0 20 3 11 10 21 3 0 ENDSEC 0 EOF", " ", "\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for keys, want := range map[string]string{
		`file = "far.csv"`:  " of 2 in the file (its coordinates lie far from the origin: (500000, 4600000) m were subtracted)",
		`file = "wide.csv"`: "(its coordinates lie far from the origin: (500007, 4600007) m were subtracted)",
		"file = \"own.csv\"\ncolumns = [\"a\", \"b\", \"c\", \"d\"]\nunit = \"mm\"": " of 2 in the file",
		"file = \"l.dxf\"\nlayers = [\"joints\"]":                                   " of 2 in the file (left out: 1 on layers that are off, frozen or not chosen, or on paper)",
	} {
		path := filepath.Join(dir, "a.shapes.toml")
		if err := os.WriteFile(path, []byte("edge = \"0.2 m\"\n[[rectangle]]\nname = \"rock\"\nfrom = [0, 0]\nto = [10, 6]\n[[traces]]\nname = \"j\"\nin = \"rock\"\n"+keys+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rocks, err := ParseRocks(path, data)
		if err != nil || len(rocks) != 1 {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		if a := rocks[0].Asked[0]; a.Drawn != 2 || !strings.Contains(a.From, want) {
			t.Errorf("%s: %d traces%s, want%s", keys, a.Drawn, a.From, want)
		}
	}
}
