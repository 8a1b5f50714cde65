package vtk

import (
	"bytes"
	"compress/zlib"
	goadler32 "hash/adler32"
	"io"
	"testing"

	"pgregory.net/rapid"
)

// zlib reads stored data back, and their check sum is right.
func TestStored(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(rt, "data")
		raw = bytes.Repeat(raw, rapid.SampledFrom([]int{1, 7, 1000, 2600}).Draw(rt, "times"))
		if got, want := adler32(raw), goadler32.Checksum(raw); got != want {
			rt.Fatalf("check sum %08x of %d bytes, want %08x", got, len(raw), want)
		}
		r, err := zlib.NewReader(bytes.NewReader(stored(nil, raw)))
		if err != nil {
			rt.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, raw) {
			rt.Fatalf("%d bytes read as %d: %v", len(raw), len(got), err)
		}
	})
}

// The sums do not overflow where they are reduced last.
func TestCheckSumOfTheGreatest(t *testing.T) {
	for _, n := range []int{1<<16 - 1, 1 << 24, 1<<25 + 7} {
		raw := bytes.Repeat([]byte{255}, n)
		if got, want := adler32(raw), goadler32.Checksum(raw); got != want {
			t.Errorf("check sum %08x of %d bytes, want %08x", got, n, want)
		}
	}
}

func BenchmarkStored(b *testing.B) {
	raw := make([]byte, blockSize)
	for i := range raw {
		raw[i] = byte(i * i >> 3)
	}
	out := stored(nil, raw)
	b.SetBytes(blockSize)
	for b.Loop() {
		out = stored(out[:0], raw)
	}
}
