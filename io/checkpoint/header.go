package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
)

// Header describes the contents of a checkpoint and its model.
type Header struct {
	Program  string  `msgpack:"program"`  // the version of fdem that wrote it
	Title    string  `msgpack:"title"`    // of the model
	Step     int64   `msgpack:"step"`     // steps done
	Time     float64 `msgpack:"time"`     // [s]
	Duration float64 `msgpack:"duration"` // end of the run [s]
	Deck     string  `msgpack:"deck"`     // SHA-256 of the deck, hexadecimal
	Mesh     string  `msgpack:"mesh"`     // SHA-256 of the mesh file, "" without a mesh
	Laws     []Law   `msgpack:"laws"`     // of the contacts and interactions, in the model's order
	Results  Mark    `msgpack:"results"`
	Blocks   []Block `msgpack:"blocks"` // the body, in order
}

// Law is a fingerprint of the law of a contact, or of the laws of an
// interaction, with their tables.
type Law struct {
	Contact string `msgpack:"contact"`
	Answers string `msgpack:"answers"` // SHA-256 of pressures, or forces, over a range of deflections, hexadecimal
}

// Mark is the length of the results at the checkpoint. Later results are removed
// before a run is resumed.
type Mark struct {
	History  int64     `msgpack:"history"`            // bytes of history.csv
	Frames   int       `msgpack:"frames"`             // of fields.pvd and contact.pvd
	Contacts int       `msgpack:"contacts,omitempty"` // of contact.pvd, if it has an interval of its own
	Start    []float64 `msgpack:"start"`              // the ledger of the first row, empty before it
	Motions  []float64 `msgpack:"motions"`            // of the bodies in the first row: centre, velocity, spin and momentum
	Limits   []Limit   `msgpack:"limits,omitempty"`   // reasons for the length of the steps so far
}

// Limit is the number of steps whose length one reason has set.
type Limit struct {
	Reason string `msgpack:"reason"`
	Steps  int64  `msgpack:"steps"`
}

// Block is a part of the state: Count values of a kind.
type Block struct {
	Name  string `msgpack:"name"`
	Kind  string `msgpack:"kind"`  // "f8", "i8", "i4" or "u1": floating-point or whole, and the number of bytes
	Width int    `msgpack:"width"` // values per group: 2 for a vector, 9 for a pose
	Count int64  `msgpack:"count"` // number of groups
}

// kindSize is the size of a number of each kind [bytes].
var kindSize = map[string]int64{"f8": 8, "i8": 8, "i4": 4, "u1": 1}

// bytes returns the length of the block in the body, false for an impossible
// block.
func (b *Block) bytes() (int64, bool) {
	const most = 1 << 40
	size := kindSize[b.Kind]
	if size == 0 || b.Width < 1 || b.Width > 64 || b.Count < 0 || b.Count > most {
		return 0, false
	}
	return size * int64(b.Width) * b.Count, true
}

// decodeHeader reads a header, which may be damaged.
func decodeHeader(data []byte) (h Header, err error) {
	if err := bounded(data); err != nil {
		return Header{}, err
	}
	defer func() { // the library panics on some invalid data
		if r := recover(); r != nil {
			h, err = Header{}, fmt.Errorf("header: %v", r)
		}
	}()
	if err := msgpack.Unmarshal(data, &h); err != nil {
		return Header{}, fmt.Errorf("header: %w", err)
	}
	return h, nil
}

// bounded checks MessagePack data. It fails for lengths that the data cannot hold,
// for depths that no header has, and for data after the end. It must run before the
// decoder, which allocates by the lengths before it finds that data are missing.
func bounded(data []byte) error {
	rest, err := skip(data, 8)
	if err == nil && len(rest) > 0 {
		err = errors.New("header: data follow after its end")
	}
	return err
}

var errCut = errors.New("header: it declares more data than it has")

// skip returns the data after one value.
func skip(data []byte, depth int) ([]byte, error) {
	if depth == 0 {
		return nil, errors.New("header: nested too deep")
	}
	if len(data) == 0 {
		return nil, errCut
	}
	code := data[0]
	data = data[1:]
	// number reads a length of n bytes.
	number := func(n int) uint64 {
		if len(data) < n {
			return 1 << 62
		}
		var b [8]byte
		copy(b[8-n:], data)
		data = data[n:]
		return binary.BigEndian.Uint64(b[:])
	}
	var fixed, values uint64 // bytes, then nested values
	switch {
	case code <= 0x7f || code >= 0xe0 || code == 0xc0 || code == 0xc2 || code == 0xc3:
	case code <= 0x8f:
		values = 2 * uint64(code&0x0f)
	case code <= 0x9f:
		values = uint64(code & 0x0f)
	case code <= 0xbf:
		fixed = uint64(code & 0x1f)
	case code >= 0xc4 && code <= 0xc6: // bytes
		fixed = number(1 << (code - 0xc4))
	case code == 0xca || code == 0xcb: // floating-point
		fixed = 4 << (code - 0xca)
	case code >= 0xcc && code <= 0xcf: // whole, without sign
		fixed = 1 << (code - 0xcc)
	case code >= 0xd0 && code <= 0xd3: // whole
		fixed = 1 << (code - 0xd0)
	case code >= 0xd9 && code <= 0xdb: // text
		fixed = number(1 << (code - 0xd9))
	case code == 0xdc || code == 0xdd:
		values = number(2 << (code - 0xdc))
	case code == 0xde || code == 0xdf:
		values = 2 * number(2<<(code-0xde))
	default: // extensions and unused codes
		return nil, fmt.Errorf("header: it has a value of the type %#x, which no header has", code)
	}
	if fixed > uint64(len(data)) || values > uint64(len(data)) {
		return nil, errCut
	}
	data = data[fixed:]
	for range values {
		var err error
		if data, err = skip(data, depth-1); err != nil {
			return nil, err
		}
	}
	return data, nil
}
