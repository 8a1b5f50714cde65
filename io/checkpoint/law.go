package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/solver/model"
)

// Laws returns the fingerprints of a model's laws.
func Laws(m *model.Model) []Law {
	var out []Law
	for _, c := range m.Laws() {
		if len(c.Laws) == 1 && !c.Points {
			out = append(out, Law{c.Name, answers(c.Laws[0])})
			continue
		}
		all := ""
		for _, l := range c.Laws {
			all += answers(l)
		}
		for _, err := range c.Missing {
			all += err.Error()
		}
		sum := sha256.Sum256([]byte(all))
		out = append(out, Law{c.Name, hex.EncodeToString(sum[:])})
	}
	return out
}

// answers returns a fingerprint (hash) of a law. It is made from the bits of the
// law's pressure, or force, and energy at deflections from a picometre to a
// centimetre, up and down, with memory. It changes with a parameter, a table or an
// elementary function.
func answers(l contact.Law) string {
	const decades, each = 10, 6
	if t, ok := l.(contact.Tabulated); ok {
		t.Tabulate() // as a run does
	}
	node := contact.NewNode(l)
	sum := sha256.New()
	bits := func(x float64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		sum.Write(b[:])
	}
	for i := range 2 * decades * each {
		k := i
		if k >= decades*each {
			k = 2*decades*each - 1 - i // back down
		}
		a := node.Move(elementary.Pow(10, -12+float64(k)/each), 1e-3)
		bits(a.P)
		bits(a.W)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
