package vtk

import "encoding/binary"

// stored appends raw as an uncompressed stream of zlib (RFC 1950, RFC 1951
// section 3.2.4). Libraries can do this, too, but their check sum takes longer
// than all else of a frame.
func stored(b, raw []byte) []byte {
	const most = 1<<16 - 1 // bytes of a block of the stream
	b = append(b, 0x78, 0x01)
	for at := 0; ; at += most {
		part, last := raw[at:min(at+most, len(raw))], byte(0)
		if len(raw)-at <= most {
			last = 1
		}
		b = append(b, last)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(part)))
		b = binary.LittleEndian.AppendUint16(b, ^uint16(len(part)))
		b = append(b, part...)
		if last == 1 {
			return binary.BigEndian.AppendUint32(b, adler32(raw))
		}
	}
}

// adler32 returns the check sum of zlib (RFC 1950, section 8.2): a is 1 and the
// sum of the bytes, b the sum of all values of a. Four words of eight bytes are
// taken at a time, with the even and the odd bytes of each separated into fields
// of 16 bits. So sums of words are sums of bytes, and the highest 16 bits of a
// product are a sum of products.
func adler32(data []byte) uint32 {
	const (
		prime = 65521
		most  = 1 << 24 // bytes until the sums are reduced: b is below 2^57 then

		lowBytes = 0x00ff00ff00ff00ff
		ones     = 0x0001000100010001
		even     = 0x0008000600040002 // how often the bytes 0, 2, 4, 6 of a word count in b at the word's end
		odd      = 0x0007000500030001 // and 1, 3, 5, 7
	)
	a, b := uint64(1), uint64(0)
	for len(data) > 0 {
		part := data[:min(most, len(data))]
		data = data[len(part):]
		for ; len(part) >= 32; part = part[32:] {
			w0, w1 := binary.LittleEndian.Uint64(part), binary.LittleEndian.Uint64(part[8:])
			w2, w3 := binary.LittleEndian.Uint64(part[16:]), binary.LittleEndian.Uint64(part[24:])
			e0, e1, e2, e3 := w0&lowBytes, w1&lowBytes, w2&lowBytes, w3&lowBytes
			o0, o1, o2, o3 := w0>>8&lowBytes, w1>>8&lowBytes, w2>>8&lowBytes, w3>>8&lowBytes
			e, o := e0+e1+e2+e3, o0+o1+o2+o3
			after := 3*(e0+o0) + 2*(e1+o1) + e2 + o2 // words that follow each
			b += 32*a + 8*(after*ones>>48) + e*even>>48 + o*odd>>48
			a += (e + o) * ones >> 48
		}
		for _, v := range part {
			a += uint64(v)
			b += a
		}
		a, b = a%prime, b%prime
	}
	return uint32(b<<16 | a)
}
