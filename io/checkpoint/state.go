package checkpoint

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// motionWidth is the number of values of a solver.RigidMotion.
const motionWidth = 9

func pose(p *system.RigidMotion) [motionWidth]*float64 {
	return [motionWidth]*float64{
		&p.Centre.X, &p.Centre.Y, &p.Angle, &p.Velocity.X, &p.Velocity.Y, &p.Spin, &p.Force.X, &p.Force.Y, &p.Moment,
	}
}

// describe returns the block that holds a part.
func describe(p system.Part) Block {
	b := Block{Name: p.Name, Kind: "f8", Width: 1, Count: 1}
	switch v := p.Values.(type) {
	case *float64:
	case *int64:
		b.Kind = "i8"
	case []float64:
		b.Count = int64(len(v))
	case *[]float64:
		b.Count = int64(len(*v))
	case []r2.Vec:
		b.Width, b.Count = 2, int64(len(v))
	case []system.RigidMotion:
		b.Width, b.Count = motionWidth, int64(len(v))
	case *[]bool:
		b.Kind, b.Count = "u1", int64(len(*v))
	case *[]int32:
		b.Kind, b.Count = "i4", int64(len(*v))
	default:
		panic(fmt.Sprintf("checkpoint: part %q is a %T", p.Name, p.Values))
	}
	return b
}

// pack appends the values of parts to body and returns their blocks.
func pack(body []byte, parts []system.Part) ([]byte, []Block) {
	blocks := make([]Block, len(parts))
	total := 0
	for i, p := range parts {
		blocks[i] = describe(p)
		n, _ := blocks[i].bytes()
		total += int(n)
	}
	body = slices.Grow(body, total)
	for _, p := range parts {
		body = packPart(body, p)
	}
	return body, blocks
}

// Sum returns a checksum of a state.
func Sum(parts []system.Part) uint32 {
	body, _ := pack(nil, parts)
	return crc32.Checksum(body, castagnoli)
}

func packPart(body []byte, p system.Part) []byte {
	put := func(x float64) { body = binary.LittleEndian.AppendUint64(body, math.Float64bits(x)) }
	switch v := p.Values.(type) {
	case *float64:
		put(*v)
	case *int64:
		body = binary.LittleEndian.AppendUint64(body, uint64(*v))
	case []float64:
		body = packFloats(body, v)
	case *[]float64:
		body = packFloats(body, *v)
	case []r2.Vec:
		at := len(body)
		body = body[:at+16*len(v)]
		for _, x := range v {
			binary.LittleEndian.PutUint64(body[at:], math.Float64bits(x.X))
			binary.LittleEndian.PutUint64(body[at+8:], math.Float64bits(x.Y))
			at += 16
		}
	case []system.RigidMotion:
		for i := range v {
			for _, x := range pose(&v[i]) {
				put(*x)
			}
		}
	case *[]bool:
		for _, x := range *v {
			b := byte(0)
			if x {
				b = 1
			}
			body = append(body, b)
		}
	case *[]int32:
		for _, x := range *v {
			body = binary.LittleEndian.AppendUint32(body, uint32(x))
		}
	}
	return body
}

func packFloats(body []byte, v []float64) []byte {
	at := len(body)
	body = body[:at+8*len(v)]
	for _, x := range v {
		binary.LittleEndian.PutUint64(body[at:], math.Float64bits(x))
		at += 8
	}
	return body
}

// unpackable tells whether a body of the given blocks fits the parts. The
// blocks must be those of the parts; only parts of variable length may differ
// in length.
func unpackable(blocks []Block, parts []system.Part) error {
	if len(blocks) != len(parts) {
		for i := range min(len(blocks), len(parts)) {
			if blocks[i].Name != parts[i].Name {
				return fmt.Errorf("it holds %d parts, the model has %d; part %d is %s, where the model has %s", len(blocks), len(parts), i+1, blocks[i].Name, parts[i].Name)
			}
		}
		return fmt.Errorf("it holds %d parts, the model has %d", len(blocks), len(parts))
	}
	for i, p := range parts {
		if err := fits(&blocks[i], p); err != nil {
			return err
		}
	}
	return nil
}

// unpack fills parts from a body of the given blocks.
func unpack(body []byte, blocks []Block, parts []system.Part) {
	for i, p := range parts {
		n, _ := blocks[i].bytes()
		unpackPart(body[:n], p)
		body = body[n:]
	}
}

// fits tells whether a block fits a part.
func fits(got *Block, p system.Part) error {
	want := describe(p)
	switch p.Values.(type) {
	case *[]float64, *[]int32, *[]bool:
		want.Count = got.Count
	}
	if *got != want {
		return fmt.Errorf("it has the part %q of %d times %d %s, where the model has %q of %d times %d %s",
			got.Name, got.Count, got.Width, got.Kind, want.Name, want.Count, want.Width, want.Kind)
	}
	return nil
}

func unpackPart(data []byte, p system.Part) {
	get := func() float64 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data))
		data = data[8:]
		return x
	}
	switch v := p.Values.(type) {
	case *float64:
		*v = get()
	case *int64:
		*v = int64(binary.LittleEndian.Uint64(data))
	case []float64:
		for i := range v {
			v[i] = get()
		}
	case *[]float64:
		*v = make([]float64, len(data)/8)
		for i := range *v {
			(*v)[i] = get()
		}
	case []r2.Vec:
		for i := range v {
			v[i].X = get()
			v[i].Y = get()
		}
	case []system.RigidMotion:
		for i := range v {
			for _, x := range pose(&v[i]) {
				*x = get()
			}
		}
	case *[]bool:
		*v = make([]bool, len(data))
		for i := range *v {
			(*v)[i] = data[i] != 0
		}
	case *[]int32:
		*v = make([]int32, len(data)/4)
		for i := range *v {
			(*v)[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
}
