package checkpoint

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// shuffle transposes the bytes of a block's values: all first bytes, then all
// second bytes, and so on (byte shuffling). Neighbouring values are similar in
// their high bytes, and zstd finds that only if these bytes are together.
func shuffle(out, in []byte, size int) []byte {
	n := len(in) / size
	for r := range size {
		for i := range n {
			out = append(out, in[i*size+r])
		}
	}
	return out
}

// unshuffle undoes shuffle, into out.
func unshuffle(out, in []byte, size int) {
	n := len(in) / size
	for r := range size {
		for i := range n {
			out[i*size+r] = in[r*n+i]
		}
	}
}

// compress shuffles a body block by block and compresses it.
func compress(body []byte, blocks []Block) ([]byte, error) {
	shuffled := make([]byte, 0, len(body))
	for i := range blocks {
		n, _ := blocks[i].bytes()
		shuffled = shuffle(shuffled, body[:n], int(kindSize[blocks[i].Kind]))
		body = body[n:]
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll(shuffled, nil), nil
}

// decompress undoes compress. Its output is limited to the size of the blocks,
// and to the most that the data can hold.
func decompress(data []byte, blocks []Block, total int64) ([]byte, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(total)+1<<20), zstd.WithDecoderMaxWindow(1<<26))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	shuffled, err := dec.DecodeAll(data, nil)
	if err != nil {
		return nil, err
	}
	if int64(len(shuffled)) != total {
		return nil, fmt.Errorf("the body decompresses to %d bytes, expected %d: %w", len(shuffled), total, io.ErrUnexpectedEOF)
	}
	out := make([]byte, total)
	at := int64(0)
	for i := range blocks {
		n, _ := blocks[i].bytes()
		unshuffle(out[at:at+n], shuffled[at:at+n], int(kindSize[blocks[i].Kind]))
		at += n
	}
	return out, nil
}
