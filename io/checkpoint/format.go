// Package checkpoint writes and reads restart files with the state of a run: a
// header in MessagePack that describes the contents, and the numbers as raw
// blocks. All numbers are little-endian. A damaged file is an error, and so is one
// of another version, which the error names.
//
//	bytes  hold
//	8      magic 89 66 64 65 6d 63 6b 0a
//	4      version of the format, 1
//	4      compression: 0 none, 1 shuffled zstd
//	8      length of the header
//	8      length of the body
//	...    header, MessagePack
//	...    body
//	4      CRC32C (Castagnoli) of all bytes before
//
// Nothing is decoded before magic, version, lengths (against the file's size) and
// checksum agree. The header's own lengths are checked before MessagePack allocates
// by them. The header is a map:
//
//	program, title        version of fdem, title of the model
//	step, time, duration  steps done, time [s], where the run was to end [s]
//	deck, mesh            SHA-256 of the deck, followed by the files it names, and of
//	                      the mesh; resume refuses others
//	laws                  for each contact and interaction its name and the SHA-256 of
//	                      its law's values at 120 deflections, of an interaction for
//	                      its extreme pairs: this covers parameters and tables
//	results               history: bytes of history.csv; frames; start, motions: ledger
//	                      and motions of the first row, for the summary
//	blocks                a list of name, kind (f8, i8, i4, u1), width, count: the
//	                      body's content in order, count groups of width values
//
// The blocks are what Parts in solver/state.go lists. A pose of a rigid body is
// centre x, y, angle, velocity x, y, spin, force x, y, moment. Number and length of
// blocks must be those of the model, except for the memory of pairs of particles.
// With compression 1 each block's bytes are first sorted by significance: all lowest
// bytes, then all second ones and so on. The body as a whole is one zstd frame.
package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// The preamble of a file is what stands before its header, the trailer its checksum.
const (
	magic    = "\x89fdemck\n" // not text: any conversion as text changes it
	preamble = 32
	trailer  = 4

	// Version of the format. A file of another version is an error.
	Version = 1
)

// Ways to compress the body.
const (
	uncompressed = 0
	shuffledZstd = 1 // bytes of one significance side by side, then zstd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// DamagedError reports a file that differs from what was written.
type DamagedError struct {
	Path string
	What string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s: damaged: %s", e.Path, e.What) }

// VersionError reports a file of another version of the format.
type VersionError struct {
	Path    string
	Version uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: the checkpoint has format %d, and this version of fdem reads format %d: resume it with the fdem that wrote it", e.Path, e.Version, Version)
}

// maxHeader is the greatest size of the header. One of a million parts would be
// smaller.
const maxHeader = 1 << 28

// seal writes a file's four parts.
func seal(out io.Writer, compression uint32, header, body []byte) error {
	head := make([]byte, 0, preamble)
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, Version)
	head = binary.LittleEndian.AppendUint32(head, compression)
	head = binary.LittleEndian.AppendUint64(head, uint64(len(header)))
	head = binary.LittleEndian.AppendUint64(head, uint64(len(body)))
	sum := uint32(0)
	for _, part := range [][]byte{head, header, body} {
		sum = crc32.Update(sum, castagnoli, part)
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	_, err := out.Write(binary.LittleEndian.AppendUint32(nil, sum))
	return err
}

// unseal checks a whole file and returns its parts.
func unseal(path string, data []byte) (compression uint32, header, body []byte, err error) {
	header64, body64, compression, err := lengths(path, data, int64(len(data)))
	if err != nil {
		return 0, nil, nil, err
	}
	end := len(data) - trailer
	if sum, want := crc32.Checksum(data[:end], castagnoli), binary.LittleEndian.Uint32(data[end:]); sum != want {
		return 0, nil, nil, &DamagedError{path, fmt.Sprintf("its checksum is %08x, expected %08x", sum, want)}
	}
	header = data[preamble : preamble+header64]
	return compression, header, data[preamble+header64 : preamble+header64+body64], nil
}

// lengths reads the preamble of a file of the given size and compares it with
// that size, so that no more memory than the file's size is allocated.
func lengths(path string, head []byte, size int64) (header, body int64, compression uint32, err error) {
	fail := func(format string, args ...any) (int64, int64, uint32, error) {
		return 0, 0, 0, &DamagedError{path, fmt.Sprintf(format, args...)}
	}
	if size < preamble+trailer || len(head) < preamble {
		return fail("%d bytes are too few for a checkpoint", size)
	}
	if string(head[:len(magic)]) != magic {
		return fail("it does not begin as a checkpoint does")
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != Version {
		return 0, 0, 0, &VersionError{path, v}
	}
	if compression = binary.LittleEndian.Uint32(head[12:]); compression > shuffledZstd {
		return fail("unknown compression %d", compression)
	}
	h, b := binary.LittleEndian.Uint64(head[16:]), binary.LittleEndian.Uint64(head[24:])
	left := uint64(size - preamble - trailer)
	if h > left || h > maxHeader || b != left-h {
		return fail("it declares a header of %d bytes and a body of %d bytes, but has %d bytes", h, b, size)
	}
	return int64(h), int64(b), compression, nil
}

// readFile returns a file's bytes after a check of its preamble against its
// size.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, preamble)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if _, _, _, err := lengths(path, head[:n], info.Size()); err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	copy(data, head)
	if _, err := io.ReadFull(f, data[preamble:]); err != nil {
		return nil, &DamagedError{path, "it is shorter than its preamble declares"}
	}
	return data, nil
}
