// Command write writes the meshes of the examples, in millimetre-sized metres.
//
//	go run ./examples/scenes/write beam-impact > examples/beam-impact/beam-impact.msh
//	go run ./examples/scenes/write friction-drive > examples/friction-drive/friction-drive.msh
//	go run ./examples/scenes/write incline > examples/incline/incline.msh
//	go run ./examples/scenes/write newtons-cradle > examples/newtons-cradle/newtons-cradle.msh
//	go run ./examples/scenes/write portal-frame > examples/portal-frame/portal-frame.msh
//	go run ./examples/scenes/write -n 1000 -seed 1 rockfall > examples/rockfall/rockfall.msh
//	go run ./examples/scenes/write spall-bar > examples/spall-bar/spall-bar.msh
//	go run ./examples/scenes/write -seed 1 brazilian-disc > examples/brazilian-disc/brazilian-disc.msh
//	go run ./examples/scenes/write double-cantilever > examples/double-cantilever/double-cantilever.msh
//	go run ./examples/scenes/write -n 200 -seed 1 branching-plate > examples/branching-plate/branching-plate.msh
//	go run ./examples/scenes/write -seed 1 uniaxial-compression > examples/uniaxial-compression/uniaxial-compression.msh
//	go run ./examples/scenes/write notched-beam > examples/notched-beam/notched-beam.msh
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"

	"fdem/examples/scenes"
	"fdem/io/gmsh"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

func main() {
	n := flag.Int("n", 1000, "number of rocks, or of edges along the plate")
	seed := flag.Int64("seed", 1, "seed of what is random")
	flag.Parse()
	src := &mesh.Source{}
	switch flag.Arg(0) {
	case "beam-impact":
		scenes.Strike(src, 100)
	case "friction-drive":
		scenes.Wheels(src)
	case "incline":
		scenes.Incline(src)
	case "newtons-cradle":
		for i := range 5 {
			centre := r2.Vec{X: scenes.CradlePitch * float64(i)}
			scenes.Disc(src, "ball "+strconv.Itoa(i+1), centre, scenes.CradleRadius, 10)
		}
	case "portal-frame":
		scenes.Portal(src)
	case "rockfall":
		var hollow float64
		src, hollow = scenes.Rocks(*n, *seed)
		fmt.Fprintf(os.Stderr, "the hollow's radius is %.6g m\n", hollow)
	case "spall-bar":
		scenes.Spall(src, 4)
	case "brazilian-disc":
		if err := scenes.Brazilian(src, *seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "double-cantilever":
		scenes.Cantilever(src)
	case "branching-plate":
		if err := scenes.Branching(src, 0.1/float64(*n), *seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "uniaxial-compression":
		if err := scenes.Compression(src, 1.25e-3, *seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "notched-beam":
		scenes.NotchedBeam(src, 1e-3, 1.5e-3)
	default:
		fmt.Fprintln(os.Stderr, "usage: write [-n ROCKS] [-seed SEED] beam-impact|branching-plate|brazilian-disc|double-cantilever|friction-drive|incline|newtons-cradle|notched-beam|portal-frame|rockfall|spall-bar|uniaxial-compression")
		os.Exit(2)
	}
	if err := gmsh.Write(os.Stdout, src); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
