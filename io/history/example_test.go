package history_test

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/io/history"
)

// A history is written row by row and read by column.
func ExampleColumns() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "history.csv")
	w, err := history.Create(path, []string{"time", "kinetic"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		if err := w.Row([]float64{1e-6 * float64(i), 2.5 - 0.5*float64(i)}); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	columns, err := history.Columns(path, []string{"kinetic"})
	fmt.Println(columns[0], err)
	// Output:
	// [2.5 2 1.5] <nil>
}
