// Command law-fit writes the measurement of this example: Kostek's law with Table 1 along
// loading, unloading, reloading and unloading. Every pressure has normal noise of 0.5 %
// of its value.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"fdem/io/tables"
	"fdem/materials/contact"
)

// table1 is Table 1 of R. Kostek, J. Theor. Appl. Mech. 50(2), 2012.
var table1 = []struct {
	name, value string
	dim         tables.Dimension
}{
	{"e_p", "0.534 um/MPa^0.653", flexibility(0.653)}, {"m_p", "0.653", tables.None},
	{"e_e", "1.148 um/MPa^0.462", flexibility(0.462)}, {"m_e", "0.462", tables.None},
	{"e_l", "0.302 um/MPa^0.462", flexibility(0.462)}, {"e_u", "0.523 um/MPa^0.462", flexibility(0.462)}, {"m_ep", "0.462", tables.None},
}

// flexibility is the dimension of m/Pa^m.
func flexibility(m float64) tables.Dimension {
	return tables.Dimension{Length: 1 + m, Mass: -m, Time: 2 * m}
}

func main() {
	if err := write(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func write(out io.Writer) error {
	values := map[string]float64{}
	for _, p := range table1 {
		v, err := tables.ParseQuantity(p.value, p.dim)
		if err != nil {
			return err
		}
		values[p.name] = v
	}
	model, _ := contact.Lookup("kostek")
	law, err := model.Build(values)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "# synthetic: Kostek (2012), Table 1, with 0.5 % of normal noise in every pressure")
	fmt.Fprintln(w, "deflection [um],pressure [MPa]")
	rng := rand.New(rand.NewPCG(2012, 50))
	node := contact.NewNode(law)
	from := 0.0
	for _, to := range []float64{6, 0, 8, 0} {
		for i := range 200 {
			d := 1e-6 * (from + (to-from)*float64(i+1)/200)
			fmt.Fprintf(w, "%.4f,%.6f\n", 1e6*d, 1e-6*node.Move(d, 0).P*(1+0.005*rng.NormFloat64()))
		}
		from = to
	}
	return w.Flush()
}
