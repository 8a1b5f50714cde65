package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"fdem/solver/system"

	"github.com/google/go-cmp/cmp"
	"github.com/vmihailenco/msgpack/v5"
	"gonum.org/v1/gonum/spatial/r2"
)

// state has one of every kind of part.
type state struct {
	n       int64
	t       float64
	x       []r2.Vec
	w       []float64
	poses   []system.RigidMotion
	flags   []bool
	changes []float64
	pairs   []int32
}

func (s *state) parts() []system.Part {
	return []system.Part{
		{Name: "n", Values: &s.n}, {Name: "t", Values: &s.t}, {Name: "x", Values: s.x}, {Name: "w", Values: s.w},
		{Name: "poses", Values: s.poses}, {Name: "flags", Values: &s.flags}, {Name: "changes", Values: &s.changes}, {Name: "pairs", Values: &s.pairs},
	}
}

func full() *state {
	return &state{
		n: 42, t: 0.1, x: []r2.Vec{{X: 1, Y: -2}, {X: math.Inf(1), Y: math.SmallestNonzeroFloat64}}, w: []float64{math.Pi, math.Copysign(0, -1), 3},
		poses: []system.RigidMotion{{Centre: r2.Vec{X: 1, Y: 2}, Angle: 3, Velocity: r2.Vec{X: 4, Y: 5}, Spin: 6, Force: r2.Vec{X: 7, Y: 8}, Moment: 9}},
		flags: []bool{true, false, true}, changes: []float64{1, 2}, pairs: []int32{-1, math.MaxInt32, 7},
	}
}

func empty() *state {
	return &state{x: make([]r2.Vec, 2), w: make([]float64, 3), poses: make([]system.RigidMotion, 1), flags: make([]bool, 1), pairs: make([]int32, 9)}
}

var head = Header{
	Program: "0.1.0", Title: "a \"title\"", Step: 42, Time: 0.1, Duration: 1, Deck: "d", Mesh: "m", Laws: []Law{{"c", "abc"}},
	Results: Mark{History: 100, Frames: 2, Start: []float64{1, 2}, Motions: []float64{3}},
}

// write puts a checkpoint of s into dir.
func write(t testing.TB, dir string, s *state, step int64, compress bool) (path string) {
	t.Helper()
	w := NewWriter(dir, "")
	w.Compress = compress
	h := head
	h.Step = step
	if err := w.Write(h, s.parts(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Fatal(err)
	}
	return w.Last()
}

func TestRoundTrip(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		path := write(t, t.TempDir(), full(), 42, compressed)
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want := head
		want.Blocks = f.Blocks
		if f.Compressed != compressed || !cmp.Equal(f.Header, want) {
			t.Errorf("the header is %+v, compressed %v", f.Header, f.Compressed)
		}
		got := empty()
		if err := f.Fill(got.parts()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(full(), got, cmp.AllowUnexported(state{})); diff != "" {
			t.Error(diff)
		}
		if math.Signbit(got.w[1]) != true {
			t.Error("minus zero lost its sign")
		}
	}
}

// A pose in a file has every number of a rigid body's motion.
func TestPoseIsWhole(t *testing.T) {
	var m system.RigidMotion
	for _, x := range pose(&m) {
		*x = 1
	}
	var look func(name string, v reflect.Value)
	look = func(name string, v reflect.Value) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				look(name+"."+v.Type().Field(i).Name, v.Field(i))
			}
		} else if v.Float() != 1 {
			t.Errorf("no value of a pose is %s", name)
		}
	}
	look("RigidMotion", reflect.ValueOf(m))
}

// A file of the first version of this format can still be read.
func TestFormatOne(t *testing.T) {
	for _, name := range []string{"one.ckpt", "one-compressed.ckpt"} {
		path := filepath.Join("testdata", name)
		if os.Getenv("FDEM_WRITE_GOLDEN") != "" {
			data, err := os.ReadFile(write(t, t.TempDir(), full(), 42, strings.Contains(name, "compressed")))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got := empty()
		if err := f.Fill(got.parts()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(full(), got, cmp.AllowUnexported(state{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A file of another model says which part does not fit, and fills nothing.
func TestFillRefusesAnotherModel(t *testing.T) {
	f, err := Open(write(t, t.TempDir(), full(), 42, false))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*state) []system.Part{
		"fewer nodes": func(s *state) []system.Part { s.x = s.x[:1]; return s.parts() },
		"another name": func(s *state) []system.Part {
			p := s.parts()
			p[3].Name = "v"
			return p
		},
		"another kind": func(s *state) []system.Part {
			p := s.parts()
			p[7].Values = &s.changes
			return p
		},
		"fewer parts": func(s *state) []system.Part { return s.parts()[:7] },
	} {
		s := empty()
		err := f.Fill(change(s))
		if err == nil || !strings.Contains(err.Error(), "not of this model") || s.n != 0 {
			t.Errorf("%s: %v, n = %d", name, err, s.n)
		}
	}
}

// Every byte flipped and every length cut: refused as damaged or of another
// format, never read as something else.
func TestEveryByteCounts(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		data, err := os.ReadFile(write(t, t.TempDir(), full(), 42, compressed))
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what string, data []byte) {
			t.Helper()
			var damaged *DamagedError
			var version *VersionError
			if _, err := parse("x.ckpt", data); !errors.As(err, &damaged) && !errors.As(err, &version) {
				t.Fatalf("%s: %v", what, err)
			}
		}
		for i := range data {
			for bit := range 8 {
				flipped := bytes.Clone(data)
				flipped[i] ^= 1 << bit
				refused(fmt.Sprintf("byte %d with bit %d flipped", i, bit), flipped)
			}
			refused(fmt.Sprintf("cut to %d bytes", i), data[:i])
			refused(fmt.Sprintf("byte %d missing", i), append(bytes.Clone(data[:i]), data[i+1:]...))
		}
		refused("a byte too many", append(bytes.Clone(data), 0))
	}
}

// sealed is a file with a valid checksum, whatever it holds.
func sealed(compression uint32, header, body []byte) []byte {
	var b bytes.Buffer
	_ = seal(&b, compression, header, body)
	return b.Bytes()
}

// Lengths that the file cannot have are refused before memory is allocated for them, with a valid
// checksum or without.
func TestFalseLengthsAreRefused(t *testing.T) {
	marshal := func(v any) []byte {
		data, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	blocks := func(b ...Block) []byte { return marshal(Header{Blocks: b}) }
	long := func(code byte) []byte { // a map whose key "blocks" holds something of 2^32-1 entries
		return append([]byte{0x81, 0xa6, 'b', 'l', 'o', 'c', 'k', 's', code, 0xff, 0xff, 0xff, 0xff}, make([]byte, 80)...)
	}
	huge := sealed(uncompressed, nil, nil)
	binary.LittleEndian.PutUint64(huge[24:], 1e9)
	overflow := sealed(uncompressed, nil, nil)
	binary.LittleEndian.PutUint64(overflow[16:], math.MaxUint64)
	binary.LittleEndian.PutUint64(overflow[24:], 1)
	files := map[string][]byte{
		"a body of 1e9 bytes":     huge,
		"lengths that wrap":       overflow,
		"1e9 nodes":               sealed(uncompressed, blocks(Block{"positions", "f8", 2, 1e9}), nil),
		"1e9 nodes, compressed":   sealed(shuffledZstd, blocks(Block{"positions", "f8", 2, 1e9}), nil),
		"2^62 nodes":              sealed(uncompressed, blocks(Block{"positions", "f8", 2, 1 << 62}), nil),
		"blocks that add up to 0": sealed(uncompressed, blocks(Block{"a", "f8", 64, 1 << 40}, Block{"b", "f8", 64, 1 << 40}, Block{"c", "f8", 64, -1 << 41}), nil),
		"no such kind":            sealed(uncompressed, blocks(Block{"a", "f2", 1, 1}), nil),
		"an array of 2^32":        sealed(uncompressed, long(0xdd), nil),
		"a map of 2^32":           sealed(uncompressed, long(0xdf), nil),
		"a text of 2^32":          sealed(uncompressed, long(0xdb), nil),
		"bytes of 2^32":           sealed(uncompressed, long(0xc6), nil),
		"nesting":                 sealed(uncompressed, bytes.Repeat([]byte{0x91}, 1000), nil),
		"an extension":            sealed(uncompressed, []byte{0xc7, 8, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}, nil),
		"no header":               sealed(uncompressed, nil, nil),
		"not zstd":                sealed(shuffledZstd, blocks(Block{"n", "i8", 1, 1}), []byte("no")),
	}
	for name, data := range files {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := parse("x.ckpt", data)
		if err == nil { // the compressed part is checked only when it is read
			var n int64
			if err = f.Fill([]system.Part{{Name: "n", Values: &n}}); err == nil {
				var x []float64
				err = f.Fill([]system.Part{{Name: "positions", Values: &x}})
			}
		}
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s was believed", name)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 4<<20 {
			t.Errorf("%s: %d bytes were made for a file of %d", name, made, len(data))
		}
	}
}

// Decompression of a small file stops at the size that the model needs.
func TestDecompressionIsBounded(t *testing.T) {
	zeros := make([]float64, 1<<22)
	w := NewWriter(t.TempDir(), "")
	w.Compress = true
	if err := w.Write(Header{Step: 1}, []system.Part{{Name: "x", Values: zeros}}, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	f, err := Open(w.Last())
	if err != nil {
		t.Fatal(err)
	}
	if f.Size > 1<<16 {
		t.Fatalf("zeros take %d bytes", f.Size)
	}
	f.Blocks[0].Count, f.total = 8, 64 // lies
	if err := f.Fill([]system.Part{{Name: "x", Values: make([]float64, 8)}}); err == nil {
		t.Error("more came out than was promised")
	}
}

// Files of another format are refused by name.
func TestOtherFormats(t *testing.T) {
	data := sealed(uncompressed, nil, nil)
	binary.LittleEndian.PutUint32(data[8:], Version+1)
	end := len(data) - trailer
	binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[:end], castagnoli))
	var version *VersionError
	if _, err := parse("old.ckpt", data); !errors.As(err, &version) || !strings.Contains(err.Error(), "format 2") || !strings.Contains(err.Error(), "reads format 1") {
		t.Errorf("got %v", err)
	}
}

// The last three checkpoints are kept. The newest undamaged one is found behind damaged ones.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, step := range []int64{5, 40, 300, 2000000000, 10000000000} {
		paths = append(paths, write(t, dir, full(), step, false))
	}
	kept, err := List(dir)
	if err != nil || len(kept) != Keep || kept[0] != paths[4] || kept[2] != paths[2] {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if err := os.WriteFile(paths[4], []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, skipped, err := Newest(dir)
	if err != nil || f.Path != paths[3] || len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "damaged") {
		t.Fatalf("found %v, skipped %v, %v", f, skipped, err)
	}
	if err := os.WriteFile(filepath.Join(dir, unfinished+"123"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Clear(dir, f.Step); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"000000300.ckpt", "10000000000.ckpt.dropped", "2000000000.ckpt"}; !cmp.Equal(names, want) {
		t.Errorf("left are %v, want %v", names, want)
	}
	if _, _, err := Newest(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no checkpoint") {
		t.Errorf("empty folder: %v", err)
	}
}

// failing is a file that runs out of space.
type failing struct {
	*os.File
	left int
	sync error
}

var errFull = errors.New("no space left on device")

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.left {
		n, _ := f.File.Write(b[:f.left])
		f.left = 0
		return n, errFull
	}
	f.left -= len(b)
	return f.File.Write(b)
}

func (f *failing) Sync() error { return f.sync }

// Wherever writing fails, there is one error, the checkpoint before is whole
// and nothing else is left behind.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	good := write(t, dir, full(), 7, false)
	info, err := os.Stat(good)
	if err != nil {
		t.Fatal(err)
	}
	for left := range int(info.Size()) + 1 {
		w := NewWriter(dir, good)
		w.create = func(dir string) (file, error) {
			f, err := os.CreateTemp(dir, unfinished+"*")
			fail := &failing{File: f, left: left}
			if left == int(info.Size()) {
				fail.sync = errFull
			}
			return fail, err
		}
		if err := w.Write(head, full().parts(), func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := w.Wait(); !errors.Is(err, errFull) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("with room for %d bytes: %v", left, err)
		}
		if w.Last() != good {
			t.Fatalf("the last one is %s", w.Last())
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
	if _, err := Open(good); err != nil {
		t.Error(err)
	}
}

// Files that the checkpoint refers to must be on the disk first.
func TestResultsAreSyncedFirst(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir, "")
	if err := w.Write(head, full().parts(), func() error { return errFull }); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("%d files are left", len(entries))
	}
}

// Any bytes: an error or a checkpoint, never a panic, never more memory than
// the file could ask for.
func FuzzOpen(f *testing.F) {
	for _, compressed := range []bool{false, true} {
		data, err := os.ReadFile(write(f, f.TempDir(), full(), 42, compressed))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		try(data)
		// the same with lengths and checksum put right, which chance does not find
		if len(data) < preamble+trailer {
			return
		}
		rest := data[preamble : len(data)-trailer]
		cut := int(binary.LittleEndian.Uint64(data[16:])%uint64(len(rest)+1)) % (len(rest) + 1)
		try(sealed(binary.LittleEndian.Uint32(data[12:])%2, rest[:cut], rest[cut:]))
	})
}

// try fills a state from a file, if that can be done.
func try(data []byte) {
	if f, err := parse("fuzz.ckpt", data); err == nil {
		_ = f.Fill(empty().parts())
	}
}

// BenchmarkWrite is a checkpoint of two million triangles on a million nodes
// that carry 100,000 contact nodes: how long the run waits, and how long until
// the file is on the disk.
func BenchmarkWrite(b *testing.B) {
	const nodes, contact = 1_000_000, 100_000
	x, v := make([]r2.Vec, nodes), make([]r2.Vec, nodes)
	for i := range x {
		s, c := math.Sincos(1e-5 * float64(i))
		x[i], v[i] = r2.Vec{X: 1e-3*float64(i%1000) + 1e-9*s, Y: 1e-3*float64(i/1000) + 1e-9*c}, r2.Vec{X: s, Y: c}
	}
	parts := []system.Part{{Name: "positions", Values: x}, {Name: "velocities", Values: v}, {Name: "contact", Values: make([]float64, 9*contact)}}
	for _, compressed := range []bool{false, true} {
		b.Run(fmt.Sprintf("compressed=%v", compressed), func(b *testing.B) {
			w := NewWriter(b.TempDir(), "")
			w.Compress = compressed
			copied := 0.0
			for i := range int64(b.N) {
				before := b.Elapsed()
				if err := w.Write(Header{Step: i}, parts, func() error { return nil }); err != nil {
					b.Fatal(err)
				}
				copied += (b.Elapsed() - before).Seconds()
				if err := w.Wait(); err != nil {
					b.Fatal(err)
				}
			}
			info, err := os.Stat(w.Last())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(1e3*copied/float64(b.N), "ms-waited")
			b.ReportMetric(1e-6*float64(info.Size()), "MB")
		})
	}
}
