package hdf5

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

// Values that Bob Jenkins' lookup3.c prints for hashlittle.
func TestChecksum(t *testing.T) {
	for text, want := range map[string]uint32{"": 0xdeadbeef, "Four score and seven years ago": 0x17770551} {
		if got := checksum([]byte(text)); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
}

func dataset(name string, shape []int, bytes int) Dataset {
	return Dataset{Name: name, Type: Int32, Shape: shape, Write: func(w io.Writer) error {
		_, err := w.Write(make([]byte, bytes))
		return err
	}}
}

// The file has the length that Size and its superblock say, and every header that a link leads to
// exists. VTK's reader reads whole files in io/vtk.
func TestWhatIsWrittenIsAsLongAsSaid(t *testing.T) {
	root := Group{
		Attributes: []Attribute{{Name: "numbers", Numbers: []int64{1, -2}}, {Name: "text", Text: "abc"}},
		Datasets:   []Dataset{dataset("odd", []int{3}, 12), dataset("empty", []int{0, 3}, 0), dataset("table", []int{2, 3}, 24)},
		Groups:     []Group{{Name: "none"}, {Name: "länger", Datasets: []Dataset{dataset("one", []int{1}, 4)}}},
	}
	var b bytes.Buffer
	if err := Write(&b, &root); err != nil {
		t.Fatal(err)
	}
	size, err := Size(&root)
	if err != nil || size != int64(b.Len()) {
		t.Errorf("%d bytes, %d predicted, %v", b.Len(), size, err)
	}
	data := b.Bytes()
	end, at := binary.LittleEndian.Uint64(data[28:]), binary.LittleEndian.Uint64(data[36:])
	if end != uint64(size) || string(data[at:at+4]) != "OHDR" {
		t.Errorf("the superblock tells of %d bytes and of a root at %d", end, at)
	}
	for _, name := range []string{"odd", "empty", "table", "none", "länger"} {
		link := bytes.Index(data[at:], []byte(name))
		to := binary.LittleEndian.Uint64(data[int(at)+link+len(name):])
		if link < 0 || string(data[to:to+4]) != "OHDR" {
			t.Errorf("%s is at %d, where no header is", name, to)
		}
	}
}

func TestRefused(t *testing.T) {
	for want, root := range map[string]Group{
		`"a/b" is not a valid name`:           {Datasets: []Dataset{dataset("a/b", []int{1}, 4)}},
		`"a" is not a valid name`:             {Datasets: []Dataset{dataset("a", []int{1}, 4)}, Groups: []Group{{Name: "a"}}},
		`"" is not a valid name`:              {Groups: []Group{{Groups: []Group{{Name: "x"}}}}},
		"has 8 bytes, want 12":                {Datasets: []Dataset{dataset("a", []int{3}, 8)}},
		"has 16 bytes, want 12":               {Datasets: []Dataset{dataset("a", []int{3}, 16)}},
		`group "in": "." is not a valid name`: {Groups: []Group{{Name: "in", Groups: []Group{{Name: "."}}}}},
		"is not a valid name of HDF":          {Groups: []Group{{Name: strings.Repeat("a", 2000)}}},
	} {
		if err := Write(io.Discard, &root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
