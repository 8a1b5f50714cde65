// Package hdf5 writes HDF5 files with groups, contiguous datasets and attributes. All sizes
// must be known beforehand. Superblock and object headers are of version 2, as HDF5 1.8 and
// later read them (HDF5 File Format Specification, version 3.0). All headers are at the
// beginning, and the values follow, so that a file is written from beginning to end.
package hdf5

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Type is the type of numbers, little endian.
type Type int

// Types of numbers.
const (
	Float64 Type = iota
	Float32
	Int64
	Int32
	Uint8
)

// Attribute is a name with whole numbers, or with a text if there are none.
type Attribute struct {
	Name    string
	Numbers []int64
	Text    string
}

// Dataset is an array of numbers.
type Dataset struct {
	Name  string
	Type  Type
	Shape []int
	Write func(w io.Writer) error // writes all numbers, little endian, row by row
}

// Group is a folder of the file.
type Group struct {
	Name       string
	Attributes []Attribute
	Datasets   []Dataset
	Groups     []Group
}

// Size returns the length of the file of a root group [bytes]. It fails if Write does,
// except for errors of datasets.
func Size(root *Group) (int64, error) {
	_, _, end, err := plan(root)
	return end, err
}

// Write writes the file of a root group. It fails for a name that HDF5 does not allow,
// and if a dataset writes more or fewer bytes than its shape.
func Write(to io.Writer, root *Group) error {
	head, values, end, err := plan(root)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(to, 1<<16)
	w := &counted{to: b}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, v := range values {
		if err := w.fill(v.at); err != nil {
			return err
		}
		if err := v.of.Write(w); err != nil {
			return err
		}
		if got := w.n - v.at; got != v.of.size() {
			return fmt.Errorf("dataset %q has %d bytes, want %d", v.of.Name, got, v.of.size())
		}
	}
	if err := w.fill(end); err != nil {
		return err
	}
	return b.Flush()
}

// counted counts the written bytes.
type counted struct {
	to io.Writer
	n  int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// fill writes zeros up to an offset, less than eight.
func (c *counted) fill(until int64) error {
	_, err := c.Write(make([]byte, until-c.n))
	return err
}

// addressed is a dataset with the address of its values.
type addressed struct {
	of *Dataset
	at int64
}

const (
	superblock       = 48             // its length [bytes]
	undefinedAddress = math.MaxUint64 // the address of nothing
)

// layout is the layout of a file.
type layout struct {
	head   []byte
	values []addressed
	next   int64 // address of the next values
	err    error
}

// plan lays a file out. It returns the headers, the addresses of the values and the end of the
// file.
func plan(root *Group) (head []byte, values []addressed, end int64, err error) {
	l := layout{head: make([]byte, superblock), next: superblock + headers(root)}
	l.next = aligned(l.next)
	at := l.group(root)
	if l.err != nil {
		return nil, nil, 0, l.err
	}
	b := append(l.head[:0:0], "\x89HDF\r\n\x1a\n\x02\x08\x08\x00"...) // version 2; addresses and lengths of 8 bytes
	for _, v := range []uint64{0, undefinedAddress, uint64(l.next), at} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	copy(l.head, binary.LittleEndian.AppendUint32(b, checksum(b)))
	return l.head, l.values, l.next, nil
}

func aligned(n int64) int64 { return (n + 7) &^ 7 }

// headers returns the length of all headers of a group. Addresses do not change it.
func headers(g *Group) int64 {
	var l layout
	n := int64(len(object(l.messages(g, nil))))
	for i := range g.Datasets {
		n += int64(len(object(g.Datasets[i].messages(0))))
	}
	for i := range g.Groups {
		n += headers(&g.Groups[i])
	}
	return n
}

// group lays out the contents of a group, then its header, and returns the
// header's address.
func (l *layout) group(g *Group) uint64 {
	at := map[string]uint64{}
	for i := range g.Datasets {
		d := &g.Datasets[i]
		at[d.Name] = uint64(len(l.head))
		l.head = append(l.head, object(d.messages(uint64(l.next)))...)
		l.values = append(l.values, addressed{d, l.next})
		l.next = aligned(l.next + d.size())
	}
	for i := range g.Groups {
		at[g.Groups[i].Name] = l.group(&g.Groups[i])
	}
	here := uint64(len(l.head))
	l.head = append(l.head, object(l.messages(g, at))...)
	return here
}

// messages returns the messages of a group's header, with the addresses of what is in it.
func (l *layout) messages(g *Group, at map[string]uint64) (all []message) {
	none := binary.LittleEndian.AppendUint64(nil, undefinedAddress)
	all = append(all,
		message{0x02, slices.Concat([]byte{0, 0}, none, none)}, // the links are in the header
		message{0x0a, []byte{0, 0}})
	seen := map[string]bool{}
	link := func(name string) {
		if name == "" || name == "." || len(name) > maxName || strings.ContainsAny(name, "/\x00") || seen[name] {
			l.err = fmt.Errorf("group %q: %q is not a valid name of HDF5, or is used twice", g.Name, name)
		}
		seen[name] = true
		b := []byte{1, 0x11, 1} // version 1; a length of two bytes, and a name in UTF-8
		b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
		b = append(b, name...)
		all = append(all, message{0x06, binary.LittleEndian.AppendUint64(b, at[name])})
	}
	for i := range g.Datasets {
		link(g.Datasets[i].Name)
	}
	for i := range g.Groups {
		link(g.Groups[i].Name)
	}
	for i := range g.Attributes {
		all = append(all, g.Attributes[i].message())
	}
	return all
}

const maxName = 1000 // bytes; a message has 65535 at most

// message is a message of an object header: its type and data.
type message struct {
	kind byte
	data []byte
}

// object returns an object header of messages.
func object(all []message) []byte {
	length := 0
	for _, m := range all {
		length += 4 + len(m.data)
	}
	b := []byte("OHDR\x02\x02") // version 2; a length of four bytes
	b = binary.LittleEndian.AppendUint32(b, uint32(length))
	for _, m := range all {
		b = append(b, m.kind)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(m.data)))
		b = append(b, 0)
		b = append(b, m.data...)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// message returns the message of an attribute.
func (a *Attribute) message() message {
	kind, space, values := Int64.message(), shape([]int{len(a.Numbers)}), []byte(nil)
	for _, v := range a.Numbers {
		values = binary.LittleEndian.AppendUint64(values, uint64(v))
	}
	if a.Numbers == nil { // a scalar: text of fixed length, padded with zeros, ASCII
		kind, space, values = binary.LittleEndian.AppendUint32([]byte{0x13, 1, 0, 0}, uint32(len(a.Text))), []byte{2, 0, 0, 0}, []byte(a.Text)
	}
	b := []byte{3, 0}
	for _, n := range []int{len(a.Name) + 1, len(kind), len(space)} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	b = append(b, 1) // the name is UTF-8
	b = append(append(b, a.Name...), 0)
	return message{0x0c, slices.Concat(b, kind, space, values)}
}

// messages returns the messages of a dataset's header whose values begin at a place.
func (d *Dataset) messages(at uint64) []message {
	where := []byte{3, 1} // contiguous
	if d.size() == 0 {
		at = undefinedAddress
	}
	where = binary.LittleEndian.AppendUint64(where, at)
	where = binary.LittleEndian.AppendUint64(where, uint64(d.size()))
	return []message{{0x01, shape(d.Shape)}, {0x03, d.Type.message()}, {0x05, []byte{3, 0x0a}}, {0x08, where}}
}

// size returns the length of the values [bytes].
func (d *Dataset) size() int64 {
	n := int64(d.Type.width())
	for _, k := range d.Shape {
		n *= int64(k)
	}
	return n
}

// shape returns the message of a dataspace.
func shape(dims []int) []byte {
	b := []byte{2, byte(len(dims)), 0, 1}
	for _, n := range dims {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// width returns the length of a number [bytes].
func (t Type) width() int { return []int{8, 4, 8, 4, 1}[t] }

// message returns the message of the type: of floats where sign, exponent and mantissa lie.
func (t Type) message() []byte {
	switch t {
	case Float64:
		return []byte{0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0}
	case Float32:
		return []byte{0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0}
	}
	const signed = 8
	b := []byte{0x10, signed, 0, 0, byte(t.width()), 0, 0, 0, 0, 0, byte(8 * t.width()), 0}
	if t == Uint8 {
		b[1] = 0
	}
	return b
}

// checksum is Jenkins' lookup3 (hashlittle, begun with 0), the checksum of HDF5's metadata.
func checksum(data []byte) uint32 {
	a := 0xdeadbeef + uint32(len(data))
	b, c := a, a
	for ; len(data) > 12; data = data[12:] {
		a += binary.LittleEndian.Uint32(data)
		b += binary.LittleEndian.Uint32(data[4:])
		c += binary.LittleEndian.Uint32(data[8:])
		a, b, c = mix(a, b, c)
	}
	if len(data) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], data)
	a += binary.LittleEndian.Uint32(last[:])
	b += binary.LittleEndian.Uint32(last[4:])
	c += binary.LittleEndian.Uint32(last[8:])
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	return (c ^ b) - bits.RotateLeft32(b, 24)
}

// mix mixes three words of twelve bytes.
func mix(a, b, c uint32) (uint32, uint32, uint32) {
	a = (a - c) ^ bits.RotateLeft32(c, 4)
	c += b
	b = (b - a) ^ bits.RotateLeft32(a, 6)
	a += c
	c = (c - b) ^ bits.RotateLeft32(b, 8)
	b += a
	a = (a - c) ^ bits.RotateLeft32(c, 16)
	c += b
	b = (b - a) ^ bits.RotateLeft32(a, 19)
	a += c
	c = (c - b) ^ bits.RotateLeft32(b, 4)
	b += a
	return a, b, c
}
