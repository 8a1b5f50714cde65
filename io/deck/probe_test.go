package deck

import (
	"strings"
	"testing"
)

// A quantity that a probe cannot measure is refused at its position.
func TestProbeIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies + "[[probe]]\nname = \"p\"\n"
	for name, c := range map[string]struct{ deck, want string }{
		"velocity in statics":    {strings.Replace(start, inTimeDeck, inStaticDeck, 1) + "node_near = [0, 0]\nquantity = \"velocity\"", "a static analysis has no velocity"},
		"velocity in frames":     {strings.Replace(start, inTimeDeck, inStaticDeck, 1) + "node_near = [0, 0]\n[output]\nfields = [\"velocity\"]", "a static analysis has no velocity"},
		"nothing":                {start, `node_near is missing, for instance node_near = ["0 mm", "50 mm"], or particle_near = [x, y], or element_near = [x, y], or contact_near = [x, y], or on = "..."`},
		"two places":             {start + "node_near = [0, 0]\nelement_near = [0, 0]", "a probe is at one place"},
		"a place and a group":    {start + "node_near = [0, 0]\non = \"clamp\"", "a probe is at one place"},
		"a sum of places":        {start + "on = \"clamp\"\ntake = \"sum\"", "take = \"sum\""},
		"take of one":            {start + "node_near = [0, 0]\ntake = \"max\"", "take goes with on"},
		"stress of a node":       {start + "node_near = [0, 0]\nquantity = \"stress\"", "give element_near = [x, y]"},
		"pressure of a node":     {start + "node_near = [0, 0]\nquantity = \"pressure\"", "give contact_near = [x, y]"},
		"velocity of a triangle": {start + "element_near = [0, 0]\nquantity = \"velocity\"", "give node_near = [x, y]"},
		"reaction of a particle": {inTimeDeck + steelBlock + grain + "[[probe]]\nname = \"p\"\nparticle_near = [0, 30]\nquantity = \"reaction\"", "give node_near = [x, y]"},
		"stress of a particle":   {inTimeDeck + steelBlock + grain + "[[probe]]\nname = \"p\"\nparticle_near = [0, 30]\nquantity = \"stress\"", "give element_near = [x, y]"},
		"no such group":          {start + "on = \"nowhere\"", "there is no group \"nowhere\""},
		"no contact":             {start + "contact_near = [0, 0]\nquantity = \"pressure\"", "the model has no contact of surfaces"},
		"stress of beams":        {inTimeDeck + steelBlock + strip + "[[probe]]\nname = \"p\"\non = \"strip\"\nquantity = \"stress\"", "stress is a value of triangles"},
		"rotation of triangles":  {start + "on = \"clamp\"\nquantity = \"rotation\"", "only nodes of beams have a rotation"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
}
