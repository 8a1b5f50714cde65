package checkpoint

import (
	"fmt"
	"math"
	"slices"

	"fdem/solver/system"
)

// File is a complete checkpoint.
type File struct {
	Header
	Path       string
	Size       int64 // of the file [bytes]
	Compressed bool

	body  []byte // as it is in the file
	total int64  // its length once decompressed
}

// Open reads a checkpoint. It fails with a *DamagedError for a file that
// differs from what was written, and with a *VersionError for another format.
func Open(path string) (*File, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

// parse checks all of a file except the numbers of the state.
func parse(path string, data []byte) (*File, error) {
	compression, header, body, err := unseal(path, data)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Size: int64(len(data)), Compressed: compression == shuffledZstd, body: body}
	if f.Header, err = decodeHeader(header); err != nil {
		return nil, &DamagedError{path, err.Error()}
	}
	for i := range f.Blocks {
		n, ok := f.Blocks[i].bytes()
		if !ok || n > math.MaxInt64-f.total {
			return nil, &DamagedError{path, fmt.Sprintf("part %q: %d times %d numbers %s are not possible", f.Blocks[i].Name, f.Blocks[i].Count, f.Blocks[i].Width, f.Blocks[i].Kind)}
		}
		f.total += n
	}
	if !f.Compressed && f.total != int64(len(body)) {
		return nil, &DamagedError{path, fmt.Sprintf("its parts take %d bytes, its body has %d", f.total, len(body))}
	}
	return f, nil
}

// maxExpansion is greater than any compression ratio of zstd for a state.
const maxExpansion = 1 << 16

// Has tells whether the state has a part of that name.
func (f *File) Has(part string) bool {
	return slices.ContainsFunc(f.Blocks, func(b Block) bool { return b.Name == part })
}

// Fill copies the state into parts, completely or not at all. It fails if the
// parts are those of another model.
func (f *File) Fill(parts []system.Part) error {
	if err := unpackable(f.Blocks, parts); err != nil {
		return fmt.Errorf("%s: not of this model: %w", f.Path, err)
	}
	body := f.body
	if f.Compressed {
		if most := int64(maxExpansion*len(f.body) + 1<<16); f.total > most { // parts of fixed length have been checked
			return &DamagedError{f.Path, fmt.Sprintf("%d bytes cannot decompress to %d", f.total, len(f.body))}
		}
		var err error
		if body, err = decompress(f.body, f.Blocks, f.total); err != nil {
			return &DamagedError{f.Path, err.Error()}
		}
	}
	unpack(body, f.Blocks, parts)
	return nil
}
