package scenes

import (
	"fmt"
	"os"
	"strings"

	"fdem/io/deck"
	"fdem/solver"
)

// Shaped makes a solver of stem.toml, in which texts are replaced, one by the
// next after it, and the mesh that stem.shapes.toml describes.
func Shaped(stem string, replace ...string) (*solver.Solver, error) {
	text, err := os.ReadFile(stem + ".toml")
	if err != nil {
		return nil, err
	}
	shapes, err := os.ReadFile(stem + ".shapes.toml")
	if err != nil {
		return nil, err
	}
	own := string(text)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(own, replace[i]) {
			return nil, fmt.Errorf("%s.toml does not contain %q", stem, replace[i])
		}
		own = strings.ReplaceAll(own, replace[i], replace[i+1])
	}
	src, err := deck.ParseShapes(stem+".shapes.toml", shapes)
	if err != nil {
		return nil, err
	}
	return Start(stem+".toml", own, src)
}
