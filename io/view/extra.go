package view

import "slices"

// CellField returns a field of values of cells that no file has, with its range. Values are
// indices of names where there are any.
func CellField(name, label, unit string, names []string, values []float32) (Field, Range) {
	f := Field{Name: name, Label: label, Unit: unit, On: "cell", Names: names, Pieces: names != nil, pick: []int{0}, width: 1}
	return f, rangeOf(f, values)
}

// Numbers returns a blob of numbers.
func Numbers(values []float32) Blob { return blob(values) }

// Numbering returns number and body of each triangle of a folder's frames, and the number of each of
// its nodes.
func (f *Folder) Numbering() (elements []int64, bodies []int32, nodes []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.static == nil {
		return nil, nil, nil
	}
	n := len(f.static.triangles)
	return slices.Clone(f.static.elementID), slices.Clone(f.static.body[:n]), slices.Clone(f.static.nodeID)
}
