// Command pictures draws the pictures of the example into a folder.
//
//	go run ./examples/three-balls/pictures examples/three-balls
package main

import (
	"fmt"
	"os"
	"path/filepath"

	threeballs "fdem/examples/three-balls"
	"fdem/io/view"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	for _, c := range []struct{ name, title, deck string }{
		{"resumed", "Second and third ball: compression resumes", threeballs.Resumed},
		{"second", "Second and third ball: a second impact", threeballs.Second},
	} {
		var curves []view.Curve
		for _, memory := range []string{"basic", "enhanced"} {
			path, err := threeballs.Path(c.deck, memory)
			if err != nil {
				return err
			}
			curves = append(curves, view.Curve{Name: memory, X: path[0], Y: path[1], Dashed: memory == "basic"})
		}
		if err := (&view.Diagram{Title: c.title, X: "overlap of the balls, um", Y: "force between them, N", LegendLeft: true, Curves: curves}).Save(filepath.Join(dir, c.name+".png"), "png"); err != nil {
			return err
		}
	}
	return nil
}
