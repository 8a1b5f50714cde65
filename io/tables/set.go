package tables

import (
	"bytes"
	"fmt"
	"slices"
)

// Put sets a key of the block at a path: it replaces the value, or adds a new
// line under the block's head.
func (d *Document) Put(block, key, value string) ([]byte, error) {
	var out []byte
	if p, ok := d.KeysAt[block+"."+key]; ok {
		out = slices.Concat(d.Data[:p.Value], []byte(value), d.Data[ValueEnd(d.Data, p.Value):])
	} else if p, ok := d.KeysAt[block]; ok {
		if p.key == 0 || d.Data[p.key-1] != '[' && d.Data[p.key-1] != ' ' {
			return nil, fmt.Errorf("write the deck's %s as a table in brackets first", block)
		}
		end := p.key + bytes.IndexByte(d.Data[p.key:], '\n')
		if end < p.key {
			end = len(d.Data)
		}
		out = slices.Concat(d.Data[:end], []byte("\n"+key+" = "+value), d.Data[end:])
	} else {
		out = slices.Concat(d.Data, []byte("\n["+block+"]\n"+key+" = "+value+"\n"))
	}
	again, err := Open(d.File, out)
	if err != nil {
		return nil, err
	}
	if p, ok := again.KeysAt[block+"."+key]; !ok || string(out[p.Value:ValueEnd(out, p.Value)]) != value {
		return nil, fmt.Errorf("the deck could not be changed: edit it by hand and begin a new run")
	}
	return out, nil
}
