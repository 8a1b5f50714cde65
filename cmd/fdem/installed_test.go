package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fdem/io/view"
)

// A spring that comes or goes is drawn while it is there.
func TestSpringsAreDrawnWhileInstalled(t *testing.T) {
	t.Parallel()
	text := small
	for name, keys := range map[string]string{"early": "until = \"0.4 us\"\nramp = \"0.2 us\"", "late": "time = \"1.2 us\""} {
		text += fmt.Sprintf("[[spring]]\nname = %q\non = \"left\"\nto = \"right\"\nstiffness = 1000\n%s\n", name, keys)
	}
	dir := model(t, text, smallMesh)
	succeed(t, "run", filepath.Join(dir, "small.msh"), "--quiet")
	f, err := view.Open(filepath.Join(dir, "small.out"))
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range f.Meta().Times {
		b, err := f.Blob(fmt.Sprintf("springs/%d/displacement", i))
		if err != nil {
			t.Fatal(err)
		}
		moved := make([]float32, len(b.Data)/4)
		if err := binary.Read(bytes.NewReader(b.Data), binary.LittleEndian, moved); err != nil {
			t.Fatal(err)
		}
		there := map[bool]int{}
		for k := 0; k < len(moved); k += 4 {
			there[!math.IsNaN(float64(moved[k]))]++
		}
		want := 0
		if at < 0.6e-6 || at >= 1.2e-6 {
			want = 1
		}
		if there[true] != want || there[false] != 2-want {
			t.Errorf("at %g s %d of 2 springs are drawn, want %d", at, there[true], want)
		}
	}
}

// A new model leads editors to the schema beside it; there is none beside the copy in the results.
func TestCopyOfADeckLeadsToNoSchema(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "first")
	succeed(t, "new", dir)
	succeed(t, "run", dir, "--until", "1 us", "--quiet")
	own, err := os.ReadFile(filepath.Join(dir, "first.toml"))
	kept, other := os.ReadFile(filepath.Join(dir, "first.out", "deck.toml"))
	if err != nil || other != nil {
		t.Fatal(err, other)
	}
	if !bytes.HasPrefix(own, []byte("#:schema ")) || bytes.Contains(kept, []byte("#:schema")) || bytes.Count(kept, []byte("\n")) != bytes.Count(own, []byte("\n")) {
		t.Errorf("the deck begins with %.40q, its copy with %.40q", own, kept)
	}
	succeed(t, "resume", filepath.Join(dir, "first.out"), "--until", "2 us", "--quiet")
	succeed(t, "resume", filepath.Join(dir, "first.out"), "-o", filepath.Join(dir, "branch"), "--set", "output.history_every=1e-7", "--until", "3 us", "--quiet")
}
