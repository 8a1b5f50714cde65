package contact

import (
	"fmt"
	"math"
	"testing"
)

// Three equal balls in a row under each memory, M. Warzecha and R. Grzejda's
// two cases, against an independent event-driven integration: here in steps so
// short that where an impact turns no longer matters. Radius 10 mm, 209 GPa,
// 0.283, 1175 MPa, 7800 kg/m3.
func TestThreeBallTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const r, dt = 10e-3, 4e-10
	const mass = 7800 * 4.0 / 3 * math.Pi * r * r * r
	model, _ := Lookup("kogut-etsion")
	memories := map[string]float64{"basic": 0, "memory": 1, "paper": 2}
	c := table(t, "three_ball.csv")
	for i, row := range rows(t, "three_ball.csv") {
		law, err := model.Build(map[string]float64{
			"radius": r / 2, "modulus": 209e9 / (2 * (1 - 0.283*0.283)), "yield": 1175e6, "poisson": 0.283,
			"raw_unloading": 1, "memory": memories[row[0]],
		})
		if err != nil {
			t.Fatal(err)
		}
		n := [2]*node{newNode(law), newNode(law)}
		x := [3]float64{0, c["gap12_m"][i], c["gap12_m"][i]} // less the balls between
		v := [3]float64{c["v1_0"][i], c["v2_0"][i], c["v3_0"][i]}
		for at := 0.0; at < 4e-4; at += dt {
			var f [2]float64
			for j := range n {
				n[j].rate[0] = v[j] - v[j+1]
				f[j] = n[j].move(x[j] - x[j+1])
			}
			v[0] -= f[0] / mass * dt
			v[1] += (f[0] - f[1]) / mass * dt
			v[2] += f[1] / mass * dt
			for j := range x {
				x[j] += v[j] * dt
			}
		}
		for j := range v {
			about(t, fmt.Sprintf("%s, %g m/s, ball %d", row[0], c["v1_0"][i], j+1), v[j], c[fmt.Sprintf("v%d", j+1)][i], 1e-6, 0)
		}
		t.Logf("%s: %.8f", row[0], v)
	}
}
