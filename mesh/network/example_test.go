package network_test

import (
	"fmt"
	"math"

	"fdem/mesh/network"
)

// Joints of one set in a tunnel's surroundings: the same seed draws the same joints.
func ExampleSet_Draw() {
	region := network.Region{{X: -5, Y: -5}, {X: 5, Y: -5}, {X: 5, Y: 5}, {X: -5, Y: 5}}
	set := network.Set{Mean: math.Pi / 4, Kappa: 50, Lengths: network.Lengths{Kind: "constant", Mean: 3}, P21: 1, Seed: 1}
	traces, err := set.Draw(region, nil, 0)
	g := network.Build(region, traces, 1, 0, 0.01)
	fmt.Printf("%d joints, %.2f m per m2, %v\n", len(traces), g.Length(0)/100, err)
	// Output:
	// 51 joints, 0.94 m per m2, <nil>
}
