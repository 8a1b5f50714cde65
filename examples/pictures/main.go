// Command pictures draws the pictures of the examples that fdem plot cannot draw, since
// they have several runs side by side or values that are in no results folder.
// examples/pictures.sh runs it.
//
//	go run ./examples/pictures sphere-chain FOLDER
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/view"
)

// pictures maps an example to the function that draws its pictures.
var pictures = map[string]func() (map[string]view.Row, error){
	"beam-on-flat":    beamOnFlat,
	"clearance-joint": clearanceJoint,
	"disc-in-hollow":  discInHollow,
	"sphere-chain":    sphereChain,
	"three-balls":     threeBalls,
}

func main() {
	if len(os.Args) != 3 || pictures[os.Args[1]] == nil {
		fmt.Fprintf(os.Stderr, "usage: pictures %s FOLDER\n", strings.Join(slices.Sorted(maps.Keys(pictures)), "|"))
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(example, folder string) error {
	rows, err := pictures[example]()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if err := rows[name].Save(filepath.Join(folder, name+".png"), "png"); err != nil {
			return err
		}
	}
	return nil
}
