package hdf5_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"fdem/io/hdf5"
)

// A file with one array of three numbers.
func ExampleWrite() {
	root := &hdf5.Group{
		Attributes: []hdf5.Attribute{{Name: "Title", Text: "bar"}},
		Datasets: []hdf5.Dataset{{
			Name: "pressure", Type: hdf5.Float64, Shape: []int{3},
			Write: func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, []float64{1e5, 2e5, 3e5}) },
		}},
	}
	var file bytes.Buffer
	err := hdf5.Write(&file, root)
	size, _ := hdf5.Size(root)
	fmt.Printf("%q, %t, %v\n", file.Bytes()[:4], int64(file.Len()) == size, err)
	// Output:
	// "\x89HDF", true, <nil>
}
