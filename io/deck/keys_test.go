package deck

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fdem/io/tables"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// variant is a deck in which a block stands with some of its keys: one of each
// kind and type there is.
type variant struct {
	block string
	keys  string // a line each
	rest  string // of the deck
}

const (
	inTimeDeck   = "[analysis]\nduration = 2\n"
	inStaticDeck = "[analysis]\ntype = \"static\"\nduration = 2\n"
	impulsesDeck = "[analysis]\nduration = 2\nintegrator = \"impulses\"\n"
	steelBlock   = "[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n[[material]]\nname = \"brass\"\nyoung = 1e11\npoisson = 0.4\ndensity = 8800\n"
	twoBodies    = "[[body]]\nname = \"striker\"\nmaterial = \"steel\"\n[[body]]\nname = \"target\"\nmaterial = \"steel\"\n"
	strip        = "[[beam]]\nname = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\n"
	arm          = "[[beam]]\nname = \"arm\"\nmaterial = \"steel\"\nheight = 0.1\n"
	plate        = "[[rigid]]\nname = \"plate\"\nshape = \"line\"\nfrom = [0, -1]\nto = [1, -1]\n"
	coin         = "[[rigid]]\nname = \"coin\"\nshape = \"disc\"\ncentre = [0, 9]\nradius = 1\nmass = 1\n"
	stones       = "[[rigid]]\nname = \"target\"\nshape = \"box\"\ncentre = [0, 9]\nwidth = 1\nheight = 1\nmass = 1\nvelocity = [0, -1]\n[[rigid]]\nname = \"striker\"\nshape = \"box\"\ncentre = [0, 5]\nwidth = 1\nheight = 1\nmass = 1\n"
	point        = "[[law]]\nname = \"point\"\nmodel = \"hertz\"\nmodulus = 1e9\n"
	grain        = "[[particle]]\nname = \"grain\"\nradius = 1\nposition = [0, 30]\nmaterial = \"steel\"\n"
	stiff        = "[[law]]\nname = \"firm\"\nmodel = \"linear\"\nk = 1e9\n"
	brittle      = "tensile_strength = 5e6\ncohesion = 1e7\nenergy_tension = 10\nenergy_shear = 20"
	warm         = "[[temperature]]\non = \"clamp\"\nvalue = 310\n"
	inHeat       = "[heat]\ninitial = 300\n"
	conductive   = "[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nconductivity = 50\nheat_capacity = 460\n"
	inWet        = "[analysis]\ntype = \"dynamic\"\nplane = \"strain\"\nduration = 2\n"
	inPores      = "[pores]\ninitial = 1e3\n"
	wet          = "[[material]]\nname = \"steel\"\nyoung = 1e9\npoisson = 0.3\ndensity = 2000\npermeability = 1e-12\nporosity = 0.1\n"
	felt         = "[[law]]\nname = \"felt\"\nmodel = \"volumetric\"\nk_f = 1e9\nh_f = 1\n"
)

// boltKeys are those that every bolt has.
const boltKeys = "name = \"anchor\"\nfrom = [0.1, 0.9]\nto = [0.6, 0.3]\nbond_stiffness = 1e9\n"

const soilKeys = "name = \"steel\"\nyoung = 1e9\npoisson = 0.3\ndensity = 2000\nlaw = \"mohr-coulomb\"\ncohesion = 1e4\nfriction_angle = 30\n"

// variants lists decks of every block in every kind and type.
func variants(t *testing.T) []variant {
	times := map[string]string{"dynamic": inTimeDeck + steelBlock, "static": inStaticDeck + steelBlock}
	out := []variant{
		{"", "", times["dynamic"] + twoBodies},
		{"analysis", "duration = 2", steelBlock + twoBodies},
		{"analysis", "duration = 2\ngravity = [0, -1]", steelBlock + twoBodies},
		{"analysis", "type = \"static\"", steelBlock + twoBodies},
		{"analysis", "duration = 2\nintegrator = \"impulses\"", stones},
		{"analysis.impulses", "", stones + impulsesDeck},
		{"contact", "contactor = \"target\"\nopposite = \"striker\"", impulsesDeck + stones},
		{"analysis.damping", "", steelBlock + twoBodies + "[analysis]\nduration = 1\n"},
		{"material", "name = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nlaw = \"neo-hooke\"", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nlaw = \"j2\"\nyield_stress = 1e8", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nlaw = \"j2\"\nhardening_curve = [[0, 1e8], [1, 3e8]]", inTimeDeck + twoBodies},
		{"material.voce", "q = 1e8\nb = 3", inTimeDeck + twoBodies + "[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nlaw = \"j2\"\nyield_stress = 1e8\n"},
		{"material", soilKeys, inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 1e10\npoisson = 0.3\ndensity = 700\nlaw = \"fibred\"\nyoung_along = 5e10\npoisson_along = 0.2\nshear_along = 4e9", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\nlaw = \"johnson-cook\"\na = 3e8\nb = 2e8\nc = 0.1\nmelting = 1800\nheat_capacity = 450", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 2e9\npoisson = 0.3\ndensity = 1100\nlaw = \"linear-solid\"\nbranches = [[0.5, 1]]", inTimeDeck + twoBodies},
		{"material", strings.Replace(soilKeys, "mohr-coulomb", "drucker-prager", 1), inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 5e9\npoisson = 0.25\ndensity = 2600\nlaw = \"hoek-brown\"\nintact_strength = 5e7\nmi = 10\ngsi = 45", inTimeDeck + twoBodies},
		{"material", "name = \"steel\"\nyoung = 5e9\npoisson = 0.25\ndensity = 2600\nlaw = \"hoek-brown\"\nintact_strength = 5e7\nmi = 10\ngsi = 45\ntensile_strength = 1e4\nresidual_gsi = 30\nsoftening = { energy = 1e5 }", inTimeDeck + twoBodies},
		{"material.softening", "energy = 1e5", inTimeDeck + twoBodies + "[[material]]\n" + soilKeys},
		{"material.softening", "curve = [[0, 1], [1, 0.5]]\nsize = 100", inTimeDeck + twoBodies + "[[material]]\n" + soilKeys},
		{"material.scatter", "weibull = 8", inTimeDeck + twoBodies + "[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n"},
		{"material.scatter", "weibull = 8\nlength = 2", inTimeDeck + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nscatter = { weibull = 3, length = 2 }\n[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n"},
		{"absorb", "on = \"top\"", inTimeDeck + steelBlock + twoBodies},
		{"initial_stress", "stress = [-1e6, -2e6, 0]", inTimeDeck + steelBlock + twoBodies},
		{"initial_stress", "surface = 100\ngradient = 25e3", inTimeDeck + steelBlock + twoBodies},
		{"initial_stress", "surface = 100", inTimeDeck + "gravity = [0, -9.81]\n" + steelBlock + twoBodies},
	}
	for _, kind := range []string{"dynamic", "static"} {
		base := times[kind]
		out = append(out,
			variant{"output", "", base + twoBodies},
			variant{"body", "name = \"striker\"\nmaterial = \"steel\"", base},
			variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1", base},
			variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\nstrength = 3e7\nyoung_schedule = [[0, 0.1], [1, 1]]", base},
			variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\nstrength = 3e7\ntensile_strength = 3e6", base},
			variant{"beam", "name = \"top\"\nmaterial = \"steel\"\nheight = 0.1\ninterface = {}", base + twoBodies},
			variant{"beam.interface", "friction = 0.3", base + twoBodies + "[[beam]]\nname = \"top\"\nmaterial = \"steel\"\nheight = 0.1\n"},
			variant{"beam.interface", "cohesion = 1e6\ntensile_strength = 2e6\nnormal_stiffness = 1e12", base + twoBodies + "[[beam]]\nname = \"top\"\nmaterial = \"steel\"\nheight = 0.1\n"},
			variant{"fix", "on = \"clamp\"", base + twoBodies},
			variant{"fix", "node_near = [0, 0]", base + twoBodies},
			variant{"drive", "on = \"clamp\"\ndisplacement = [\"0.1*t\", \"0.2*t\"]", base + twoBodies},
			variant{"drive", "on = \"clamp\"\nangle = \"0.1*t\"", base + twoBodies},
			variant{"drive", "on = \"strip\"\nangle = \"0.1*t\"", base + strip},
			variant{"load", "on = \"top\"\nforce = [1, 0]", base + twoBodies},
			variant{"load", "on = \"top\"\npressure = 1", base + twoBodies},
			variant{"load", "on = \"strip\"\nmoment = 1", base + strip},
			variant{"load", "on = \"pin\"\nmoment = 1\nbeam = \"strip\"", base + strip},
			variant{"load", "on = \"strip\"\nline_load = [1, 0]", base + strip},
			variant{"load", "on = \"strip\"\npressure = 1\nside = \"left\"", base + strip},
			variant{"hinge", "on = \"pin\"", base + strip},
			variant{"clamp", "on = \"root\"", base + twoBodies + arm},
			variant{"load", "on = \"plate\"\nforce = [1, 0]", base + plate},
			variant{"load", "on = \"target\"\nacceleration = [1, 0]", base + twoBodies},
			variant{"load", "on = \"target\"\nbody_force = [1, 0]", base + twoBodies},
			variant{"load", "on = \"strip\"\nacceleration = [1, \"x*t\"]", base + strip},
			variant{"load", "on = \"coin\"\nacceleration = [1, \"x*t\"]", base + coin},
			variant{"load", "on = \"coin\"\nmoment = 1", base + coin},
			variant{"probe", "name = \"tip\"\nnode_near = [0, 0]", base + twoBodies},
			variant{"probe", "name = \"tip\"\nnode_near = [0, 0]\nto_near = [1, 1]\nquantity = \"convergence\"", base + twoBodies},
			variant{"probe", "name = \"tip\"\nelement_near = [0, 0]\nquantity = \"stress\"", base + twoBodies},
			variant{"probe", "name = \"tip\"\ncontact_near = [0, 0]\nquantity = \"pressure\"", base + twoBodies + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\n"},
			variant{"probe", "name = \"tip\"\non = \"target\"\nquantity = \"reaction\"", base + twoBodies},
			variant{"probe", "name = \"tip\"\non = \"target\"", base + twoBodies},
			variant{"curve", "name = \"c\"\nvalue = \"2*time\"", base + twoBodies},
			variant{"result", "name = \"c\"\nof = \"time\"", base + twoBodies},
			variant{"result", "name = \"c\"\nof = \"time\"\nto = 1", base + twoBodies},
			variant{"result", "name = \"c\"\nof = \"time\"\nto = \"40 %\"", base + twoBodies},
			variant{"result", "name = \"c\"\nof = \"time\"\ntake = \"at\"\nfrom = 1", base + twoBodies},
		)
		for _, keys := range []string{
			"on = \"top\"\nstiffness = 1", "on = \"top\"\nstiffness = 1\ncomponents = [\"y\"]", "on = \"top\"\nto_at = [9, 9]\nstiffness = 1", "on = \"top\"\nto_at = [9, 9]\nstiffness = 1\nonly = \"tension\"",
			"on = \"top\"\nto_at = [9, 9]\nstiffness = 1\nfree_length = 2", "on = \"top\"\nto = \"striker\"\nstiffness = 1", "on = \"top\"\nto = \"striker\"\ncomponents = [\"x\"]\nstiffness = 1",
			"on = \"striker\"\nat = [0.5, 0.25]\nto_at = [9, 9]\nstiffness = 1", "on = \"top\"\nto_at = [9, 9]\ncurve = [[0, 0], [1, 2]]",
		} {
			out = append(out, variant{"spring", keys, base + twoBodies})
		}
		out = append(out, variant{"tie", "on = \"face\"\nto = \"target\"\ngap = 1.5", base + twoBodies})
		out = append(out, variant{"spring", "on = \"wheel\"\nrotation_stiffness = 1", base + strings.Replace(coin, "coin", "wheel", 1)})
		for _, shape := range []string{"line\"\nfrom = [0, 0]\nto = [1, 0]", "disc\"\ncentre = [0, 0]\nradius = 1", "box\"\ncentre = [0, 0]\nwidth = 1\nheight = 1", "hollow\"\ncentre = [0, 0]\nradius = 1", "polygon\"\ncorners = [[0, 0], [1, 0], [0, 2]]", "polygon\"\non = \"target\""} {
			for _, moves := range []string{"", "\nmotion = { velocity = [1, 0] }", "\nmass = 1", "\nfixed = true"} {
				out = append(out, variant{"rigid", "name = \"one\"\nshape = \"" + shape + moves, base})
			}
		}
		if kind == "dynamic" {
			out = append(out, variant{"contact", "contactor = \"target\"\nopposite = \"striker\"\npenetration = \"0.2 %\"\n", base + stones})
		}
		for _, law := range []string{"", "law = \"firm\"\n", "law = \"felt\"\n", "law = [[\"steel\", \"steel\", \"firm\"]]\n"} {
			if kind == "static" && law == "law = \"felt\"\n" {
				continue
			}
			for _, more := range []string{"", "friction = 0.2\n", "friction = 0.2\nfriction_speed = 1\n", "overlap = \"allow\"\n", "contact_nodes = \"ends\"\n"} {
				if law == "law = \"felt\"\n" && strings.HasPrefix(more, "contact_nodes") || kind == "static" && strings.Contains(more, "speed") {
					continue
				}
				out = append(out, variant{"contact", "contactor = \"target\"\nopposite = \"striker\"\n" + law + more, base + twoBodies + stiff + felt})
			}
		}
	}
	out = append(out,
		variant{"spring", "on = \"top\"\nto_at = [9, 9]\ndamping = 1", times["dynamic"] + twoBodies},
		variant{"spring", "on = \"coin\"\nrotation_damping = 1", times["dynamic"] + coin},
		variant{"fix", "on = \"clamp\"\ndisplacement = [0.1, 0]", times["static"] + twoBodies},
		variant{"fix", "on = \"strip\"", times["dynamic"] + strip},
		variant{"drive", "on = \"clamp\"\nvelocity = [0.1, 0]", times["dynamic"] + twoBodies},
		variant{"drive", "on = \"clamp\"\nangular_velocity = 0.1", times["dynamic"] + twoBodies},
		variant{"rigid", "name = \"one\"\nshape = \"polygon\"\non = \"target\"\nparted_by = \"seam\"\ndensity = 1", times["dynamic"]},
		variant{"rigid", "name = \"one\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 1\nfixed = false\nmaterial = \"steel\"", times["dynamic"]},
		variant{"rigid.motion", "velocity = [1, 0]", times["dynamic"] + "[[rigid]]\nname = \"one\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 1\n"},
		variant{"rigid.motion", "", times["dynamic"] + "[[rigid]]\nname = \"one\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 1\n"},
		variant{"probe", "name = \"tip\"\nparticle_near = [0, 0]", times["dynamic"] + strings.Replace(grain, "position", "grid = [1, 2]\nspacing = 9\nposition", 1)},
		variant{"fracture", "in = [\"striker\"]\n" + brittle, times["dynamic"] + twoBodies},
		variant{"fracture", "on = \"seam\"\n" + brittle, times["dynamic"] + twoBodies},
		variant{"fracture", "pair = [\"target\", \"half\"]\n" + brittle, times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"heat", "initial = 300", times["dynamic"] + twoBodies + warm},
		variant{"heat", "initial = 300", times["static"] + twoBodies + warm},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\nlaw = \"j2\"\nyield_stress = 3e8\nhardening = 1e9\nconductivity = 3\nheat_capacity = 800", inTimeDeck + inHeat + twoBodies + steelBlock},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\nconductivity = [3, 2]\nheat_capacity = 800\nexpansion = 1e-5", inTimeDeck + inHeat + twoBodies + steelBlock},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\nconductivity = [[300, 3], [600, 2]]\nheat_capacity = [[300, 800], [600, 1000]]\nexpansion = [[300, 1e-5], [600, 2e-5]]", inTimeDeck + inHeat + twoBodies + steelBlock},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600", inTimeDeck + inHeat + twoBodies + steelBlock},
		variant{"temperature", "on = \"clamp\"\nvalue = 310", times["dynamic"] + inHeat + twoBodies},
		variant{"temperature", "on = \"target\"\ninitial = 310", times["dynamic"] + inHeat + twoBodies},
		variant{"temperature", "on = \"clamp\"\nvalue = 310\nafter = \"striker\"\nrelaxation = 0.4", times["dynamic"] + inHeat + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"temperature", "on = \"clamp\"\nvalue = 310\nafter = \"striker\"", times["dynamic"] + inHeat + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"heat_flux", "on = \"top\"\nflux = 100", inTimeDeck + inHeat + conductive + twoBodies},
		variant{"heat_flux", "on = \"target\"\nsource = 100", inTimeDeck + inHeat + conductive + twoBodies},
		variant{"convection", "on = \"top\"\ncoefficient = 10", inTimeDeck + inHeat + conductive + twoBodies},
		variant{"contact", "contactor = \"target\"\nopposite = \"striker\"\nthermal_resistance = 0.01", inTimeDeck + inHeat + conductive + twoBodies},
		variant{"pores", "", inWet + steelBlock + twoBodies},
		variant{"pores", "", strings.Replace(inWet, "dynamic", "static", 1) + steelBlock + twoBodies},
		variant{"pores", "", inWet + inHeat + wet + twoBodies},
		variant{"pores", "water_table = 2", strings.Replace(inWet, "\n", "\ngravity = [0, -1]\n", 1) + wet + twoBodies},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\npermeability = [1e-12, 2e-12]\nporosity = 0.1\nbiot = 0.9\ngrain_bulk = 4e9", inWet + inPores + twoBodies + steelBlock},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\npermeability = 1e-12\nporosity = 0.1", inWet + inPores + twoBodies + steelBlock},
		variant{"material", "name = \"rock\"\nyoung = 1e9\npoisson = 0.2\ndensity = 2600\nhydraulic_conductivity = [1e-6, 2e-6]\nstorage = 1e-11", inWet + inPores + twoBodies + steelBlock},
		variant{"pore_pressure", "on = \"clamp\"\nvalue = 310", inWet + inPores + wet + twoBodies},
		variant{"pore_pressure", "on = \"clamp\"\nvalue = 310\nafter = \"striker\"\nrelaxation = 0.4", inWet + inPores + wet + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"pore_pressure", "on = \"clamp\"\nvalue = 310\nafter = \"striker\"", inWet + inPores + wet + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"pore_pressure", "on = \"clamp\"\nhead = 3", strings.Replace(inWet, "\n", "\ngravity = [0, -1]\n", 1) + inPores + wet + twoBodies},
		variant{"pore_pressure", "on = \"top\"\nseepage = true", strings.Replace(inWet, "dynamic", "static", 1) + inPores + wet + twoBodies},
		variant{"pore_pressure", "on = \"top\"\nvalue = 20", strings.Replace(inWet, "dynamic", "static", 1) + inPores + wet + twoBodies},
		variant{"contact", "contactor = \"target\"\nopposite = \"striker\"\nflow_resistance = 1e9", inWet + inPores + wet + twoBodies},
		variant{"inflow", "on = \"top\"\nflux = 1e-6", inWet + inPores + wet + twoBodies},
		variant{"inflow", "on = \"target\"\nsource = 1e-6", inWet + inPores + wet + twoBodies},
		variant{"excavate", "in = [\"striker\"]\nramp = 0.5", times["dynamic"] + twoBodies},
		variant{"excavate", "in = [\"striker\"]\ntime = 0.2", times["static"] + twoBodies},
		variant{"stage", "name = \"first\"\nlasts = 0.2", times["dynamic"] + "[[stage]]\nname = \"second\"\n" + twoBodies},
		variant{"stage", "name = \"only\"\nexcavate = \"striker\"\nrelaxation = 0.5\ninstall = \"clamp\"\nramp = 0.3", times["dynamic"] + twoBodies + "[[fix]]\non = \"clamp\"\n"},
		variant{"stage", "name = \"second\"\nremove = \"clamp\"\nexcavate = \"striker\"", times["static"] + "[[stage]]\nname = \"first\"\n" + twoBodies + "[[fix]]\non = \"clamp\"\n"},
		variant{"spring", "on = \"top\"\nstiffness = 1\nafter = \"striker\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"spring", "on = \"top\"\nstiffness = 1\nafter = \"striker\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"spring", "on = \"top\"\nstiffness = 1\ntime = 0.2\nuntil = 0.5\nramp = 0.1", times["dynamic"] + twoBodies},
		variant{"spring", "on = \"top\"\nstiffness = 1\nuntil = 0.5", times["dynamic"] + twoBodies},
		variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\ntime = 0.1\nuntil = 0.5", times["dynamic"]},
		variant{"load", "on = \"top\"\npressure = 1\nafter = \"striker\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"load", "on = \"top\"\npressure = 1\nafter = \"striker\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"load", "on = \"top\"\npressure = 1\nuntil = 0.5", times["dynamic"] + twoBodies},
		variant{"fix", "on = \"clamp\"\nafter = \"striker\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"fix", "on = \"clamp\"\nafter = \"striker\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"fix", "on = \"clamp\"\nuntil = 0.5", times["dynamic"] + twoBodies},
		variant{"tie", "on = \"face\"\nto = \"target\"\ngap = 1.5\nafter = \"target\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"},
		variant{"tie", "on = \"face\"\nto = \"target\"\ngap = 1.5\nafter = \"target\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"},
		variant{"clamp", "on = \"root\"\nafter = \"target\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + arm + "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"},
		variant{"clamp", "on = \"root\"\nafter = \"target\"", times["dynamic"] + twoBodies + arm + "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"},
		variant{"clamp", "on = \"root\"\nuntil = 0.5", times["dynamic"] + twoBodies + arm},
		variant{"tie", "on = \"face\"\nto = \"target\"\ngap = 1.5\nuntil = 0.5", times["dynamic"] + twoBodies},
		variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\nafter = \"striker\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"beam", "name = \"strip\"\nmaterial = \"steel\"\nheight = 0.1\nafter = \"striker\"\nrelaxation = 0.5", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"},
		variant{"bolt", boltKeys + "diameter = 0.1", times["dynamic"] + twoBodies},
		variant{"bolt", boltKeys + "area = 0.01\nbond_strength = 2e6\nshear_stiffness = 1e8\nshear_strength = 1e5\nplate = true\nyield_force = 1e6\nspacing = 2", times["dynamic"] + twoBodies},
		variant{"bolt", boltKeys + "diameter = 0.1\nbond_strength = 2e6\nbond_residual = 1e6\nbond_softening = 0.01\nplate = true\npretension = 1e4\nfree_length = 0.2\ntime = 0.1\nuntil = 0.5\nramp = 0.1", times["dynamic"] + twoBodies},
		variant{"bolt", boltKeys + "diameter = 0.1\nafter = \"target\"\nrelaxation = 0.4", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"},
		variant{"bolt", boltKeys + "diameter = 0.1\nuntil = 0.5\nafter = \"target\"", times["dynamic"] + twoBodies + "[[excavate]]\nin = [\"target\"]\nramp = 0.1\n"},
		variant{"bolt.repeat", "count = 2\nstep = [0.1, 0]", times["dynamic"] + twoBodies + "[[bolt]]\n" + boltKeys + "diameter = 0.1\n"},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\nvolume = 1\nrate = 1", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\npressure = 1", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"air\"\nwell = \"top\"\nvolume = 1\ngas = { pressure = 1e5 }", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"air\"\nwell = \"top\"\nvolume = 1\njwl = { a = 1, b = 2, c = 3, r1 = 5, r2 = 1, omega = 0.3 }", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\nvolume = 1\nrate = 1\ncracks = [\"target\"]", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"target\"]\n" + brittle + "\n"},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\nvolume = 1\nrate = 1\nviscosity = 1\nresidual = 1e-5", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1", times["dynamic"] + twoBodies},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1\nleak_off = { carter = 1e-4 }", times["dynamic"] + twoBodies},
		variant{"fluid.leak_off", "spurt = 1e-4", times["dynamic"] + twoBodies + "[[fluid]]\nname = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1\n"},
		variant{"fluid.leak_off", "pores = true", inWet + inPores + wet + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n[[joint]]\non = \"seam\"\nfriction = 0.5\n[[fluid]]\nname = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1\n"},
		variant{"fluid.leak_off", "carter = 1e-4", times["dynamic"] + twoBodies + "[[fluid]]\nname = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1\n"},
		variant{"fluid", "name = \"water\"\nwell = \"top\"\npressure = 1\nviscosity = 1\ndrain = [\"clamp\"]", times["dynamic"] + twoBodies},
		variant{"fluid.gas", "pressure = 1e6\ngamma = 1.2", times["dynamic"] + twoBodies + "[[fluid]]\nname = \"air\"\nwell = \"top\"\nvolume = 1\n"},
		variant{"fluid.jwl", "a = 1\nb = 2\nc = 3\nr1 = 5\nr2 = 1\nomega = 0.3", times["dynamic"] + twoBodies + "[[fluid]]\nname = \"air\"\nwell = \"top\"\nvolume = 1\n"},
		variant{"fluid.gas", "pressure = 1e6", times["dynamic"] + twoBodies + "[[fluid]]\nname = \"air\"\nwell = \"top\"\nvolume = 1\n"},
		variant{"joint", "on = \"seam\"\nfriction = 0.5", times["dynamic"] + twoBodies},
		variant{"joint", "on = \"seam\"\nfriction = 0.5\ndilation = 10\ndilation_until = 0.01", times["dynamic"] + twoBodies},
		variant{"joint", "on = \"seam\"\nfriction = 0.5\nnormal_stiffness = 1e10\nclosure = 1e-3", times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"joint", "on = \"seam\"\nlaw = \"slip-weakening\"\nfriction = 0.6\ndynamic_friction = 0.3\nweakening_slip = 0.4", times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"joint", "on = \"seam\"\nlaw = \"barton-bandis\"\njrc = 9\njcs = 1e8\nresidual_friction_angle = 28\nblock_length = 1", times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"joint", "on = \"seam\"\nlaw = \"rate-and-state\"\nrate = { a = 0.01, b = 0.015, slip = 1e-5, friction = 0.6, speed = 1e-6 }\nstart_speed = 1e-9", times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"joint.rate", "a = 0.01\nb = 0.015\nslip = 1e-5\nfriction = 0.6\nspeed = 1e-6", times["dynamic"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n[[joint]]\non = \"seam\"\nlaw = \"rate-and-state\"\nstart_speed = 1e-9\n"},
		variant{"joint", "on = \"seam\"\nfriction = 0.5\n" + brittle, times["dynamic"] + twoBodies},
		variant{"joint", "on = \"seam\"\nfriction = 0.5\naperture = 0.01", times["static"] + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"},
		variant{"fracture.bedding", "direction = 30", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"striker\"]\nfriction = 0.5\n" + brittle + "\n"},
		variant{"fracture.opening_rate", "speed = 2", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n"},
		variant{"fracture.opening_rate", "table = [[0, 1], [2, 3]]", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n"},
		variant{"fracture.scatter", "weibull = 8\nenergy_weibull = 5", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n"},
		variant{"fracture.scatter", "weibull = 8", times["dynamic"] + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n"},
		variant{"probe", "name = \"tip\"\nnode_near = [10, 9]", times["dynamic"] + strip},
		variant{"law", "name = \"l\"\nmodel = \"linear\"", times["dynamic"] + twoBodies + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"l\"\n"},
	)
	file := filepath.Join(t.TempDir(), "balls.csv")
	if err := os.WriteFile(file, []byte("x,y,radius\n0,0,1\n3,0,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.csv")
	if err := os.WriteFile(bare, []byte("x,y\n0,0\n3,0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	one := "name = \"ball\"\nradius = 1\nposition = [0, 0]\n"
	for _, keys := range []string{
		one + "material = \"steel\"", one + "density = 1000", one + "mass = 1", one + "mass = 1\nmaterial = \"steel\"", one + "density = 1\njitter = 1", one + "density = 1\nvelocity_spread = 1",
		one + "density = 1\ngrid = [2, 2]\nspacing = 3", strings.Replace(one, "= 1", "= [1, 2]", 1) + "density = 1", fmt.Sprintf("name = \"ball\"\ndensity = 1\nfile = %q", file),
		fmt.Sprintf("name = \"ball\"\nradius = 1\ndensity = 1\nfile = %q", bare), one + "fixed = true\nmaterial = \"steel\"",
	} {
		out = append(out, variant{"particle", keys, times["dynamic"] + strings.Replace(coin, "mass = 1", "mass = 1\nmaterial = \"brass\"", 1) +
			strings.Replace(point, "modulus = 1e9\n", "", 1) + "[[interaction]]\nlaw = \"point\"\nbetween = [\"ball\", \"coin\"]\n"})
	}
	for _, law := range []string{"point", "plastic", "felt"} {
		for _, more := range []string{"", "\nfriction = 0.2", "\nfriction = 0.2\nfriction_speed = 1"} {
			out = append(out, variant{"interaction", "law = \"" + law + "\"" + more, times["dynamic"] + grain + coin + point + felt + "[[law]]\nname = \"plastic\"\nmodel = \"thornton\"\nyield = 1e9\n"})
		}
	}
	for _, name := range contact.Names() {
		model, _ := contact.Lookup(name)
		if _, slow := model.Parameter("sigma"); slow && testing.Short() {
			continue
		}
		keys := "name = \"l\"\nmodel = \"" + name + "\""
		for _, p := range model.Parameters {
			if p.Default == nil && !p.Auto {
				keys += fmt.Sprintf("\n%s = %g", p.Name, allowed(p, 1))
			}
		}
		rest := twoBodies + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"l\"\n"
		if model.Kind == contact.Point {
			rest = grain + coin + "[[interaction]]\nlaw = \"l\"\n"
		}
		out = append(out, variant{"law", keys, times["dynamic"] + rest})
	}
	return out
}

// allowed returns a value of a law's parameter, a share of the usual one.
func allowed(p contact.Parameter, share float64) float64 {
	fitting := map[string]float64{"hardness": 1, "sigma": 1e-3} // that others bound
	switch v, bound := fitting[p.Name]; {
	case bound:
		return share * v
	case p.Choice != nil && share != 1 && p.Choice[0] == *p.Default:
		return p.Choice[1]
	case p.Choice != nil:
		return p.Choice[0]
	case !math.IsInf(p.Max, 1):
		return p.Min + (0.4+0.2*share)*(p.Max-p.Min)
	}
	return max(p.Min, 0) + 0.3*share
}

// text returns the deck, with a line among the block's keys.
func (v *variant) text(line string) string {
	keys := strings.TrimSpace(v.keys+"\n"+line) + "\n"
	switch block := schemaOf(v.block); {
	case v.block == "":
		return keys + v.rest
	case strings.Contains(v.block, "."):
		_, key, _ := strings.Cut(v.block, ".")
		return v.rest + key + " = { " + strings.ReplaceAll(strings.TrimSpace(keys), "\n", ", ") + " }\n"
	case block.Many:
		return v.rest + "[[" + v.block + "]]\n" + keys
	}
	return v.rest + "[" + v.block + "]\n" + keys
}

func schemaOf(name string) *tables.Block {
	for _, b := range Reference() {
		if b.Name == name {
			return &b
		}
	}
	return nil
}

// made returns what the reader makes of a deck, as text.
func made(text string) (string, error) {
	d, err := Parse("deck.toml", []byte(text))
	if err != nil {
		return "", err
	}
	src := manyGroups()
	if d.MeshPath() == "" {
		src = nil
	}
	m, _, err := d.Build(src)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, d.Title, d.Mesh, d.Compress, d.Pack, d.Fields, d.Single, d.Copy, d.Large, d.Files)
	for _, c := range slices.Concat(d.curves, d.results) {
		fmt.Fprintln(&b, c.Text)
	}
	write(&b, reflect.ValueOf(m))
	for a := range int32(m.Particles.Kinds) {
		for c := range int32(m.Particles.Kinds) {
			if a < int32(len(m.Particles.X)) {
				rule, err := m.Particles.RuleOf(a, c)
				fmt.Fprintln(&b, err)
				write(&b, reflect.ValueOf(rule))
			}
		}
	}
	return b.String(), nil
}

// write writes a value with all that it holds; functions of time by some of
// their values.
func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil ")
			return
		}
		fmt.Fprint(b, v.Elem().Type(), " ")
		write(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fmt.Fprint(b, v.Type().Field(i).Name, ": ")
			write(b, v.Field(i))
		}
		b.WriteString("\n")
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			write(b, v.Index(i))
		}
		b.WriteString("; ")
	case reflect.Func:
		if v.IsNil() {
			b.WriteString("nil ")
			return
		}
		for _, at := range []float64{0, 0.3, 0.9, 1.7} {
			if !v.CanInterface() {
				break // inside of a law
			}
			switch f := v.Interface().(type) {
			case models.Schedule:
				fmt.Fprint(b, f(at), " ")
			case func(float64) float64:
				fmt.Fprint(b, f(at), " ")
			case models.Path:
				x, angle := f(at)
				fmt.Fprint(b, x, angle, " ")
			case func(float64, r2.Vec) float64:
				fmt.Fprint(b, f(at, r2.Vec{X: 0.2, Y: 0.7}), " ")
			case func(r2.Vec) float64:
				fmt.Fprint(b, f(r2.Vec{X: at, Y: 0.7}), " ")
			}
		}
	default:
		fmt.Fprint(b, v, " ")
	}
}

// values are those of keys whose kind does not say one.
var otherValues = map[string]string{
	"title": `"other"`, "rate": "{ a = 0.02, b = 0.01, slip = 1e-4, friction = 0.5, speed = 1e-5 }", "repeat": "{ count = 2, step = [0.1, 0] }", "mesh": `"other.msh"`, "mesh_unit": `"km"`, "damping": "{ mass = 1 }", "impulses": "{ sweeps = 9 }", "scatter": "{ weibull = 6 }", "bedding": "{ direction = 20 }", "opening_rate": "{ speed = 3 }", "table": "[[0, 1], [1, 4]]", "sharpness": "2", "fields": `["stress"]`, "material": `"brass"`, "density": "1234", "mass": "12.5", "voce": "{ q = 1e8, b = 3 }", "hardening_curve": "[[0, 1e8], [1, 2e8]]", "softening": "{ energy = 1e4 }", "branches": "[[0.5, 1], [0.1, 2]]",
	"motion": "[[0, 0, 0], [1, 1, 0]]", "components": `["x"]`, "displacement": "[0.2, 0]", "schedule": `"t + 2"`, "gravity_schedule": `"t + 2"`, "ramp": "0.5", "grid": "[1, 2]", "between": `["grain", "all"]`, "poisson": "0.1", "value": `"3*time"`, "of": `"3*time"`, "unit": `"Pa"`, "over": `"kinetic"`,
	"static_friction": "0.4", "penetration": "0.004", "moment": "3", "pressure": "4", "force": "[0, 5]", "node_near": "[12, 4]", "element_near": "[12, 9]", "contact_near": "[9, 9]", "take": `"max"`, "largest_increment": "0.5", "smallest_increment": "0.001",
	"corners": "[[0, 0], [2, 0], [0, 1]]", "parted_by": `"seam"`, "share_of": `"kinetic"`, "stick_stiffness": "1e9", "name": `"other"`, "on": `"clamp"`, "contactor": `"top"`, "opposite": `"all"`, "law": `"firm"`, "shape": `"line"`, "gas": "{ pressure = 2e5 }", "cracks": `["striker"]`, "drain": `["bottom"]`, "gamma": "1.7", "jwl": "{ a = 1, b = 2, c = 3, r1 = 4, r2 = 1, omega = 0.3 }", "file": `"none.csv"`, "model": `"kostek"`,
	"at": "[0.5, 0.25]", "to": `"target"`, "to_at": "[9, 4]", "curve": "[[0, 0], [1, 3]]", "preload": "7", "stress": "[-1e6, -2e6, 5e5]", "in": `["target"]`, "position": "[7, 8]", "particle_near": "[0, 60]", "depth": "0.01", "initial": "400", "crack_heat": "0.4", "flux": "20", "ambient": "250", "conductivity": "7", "heat_capacity": "900", "plastic_heat": "0.5", "conductivity_angle": "20", "permeability": "3e-13", "hydraulic_conductivity": "3e-7", "permeability_angle": "20", "porosity": "0.2", "biot": "0.8", "grain_bulk": "2e10", "storage": "3e-11", "flow_resistance": "2e9", "head": "4", "leak_off": "{ carter = 2e-4 }", "stress_free": "280",
}

// other returns a value of a key that is not its default.
func other(k *tables.Key) string {
	if v, ok := otherValues[k.Name]; ok && (k.Name != "rate" || k.Kind == tables.Table) {
		return v
	}
	switch k.Kind {
	case tables.Word:
		for _, w := range k.Words {
			if q := fmt.Sprintf("%q", w); q != k.Default {
				return q
			}
		}
		return k.Default
	case tables.Flag:
		return fmt.Sprint(k.Default == "false")
	case tables.Whole:
		return "9"
	case tables.Pair:
		return "[0.25, 0.5]"
	}
	return "0.4"
}

// Every key of every block in every block, of every kind and type: either it is
// refused where it stands, or what the reader makes of the deck is another.
// Nothing is ignored, and every line of the table has its use.
func TestNoKeyIsIgnored(t *testing.T) {
	// A fixed sphere does not need its mass, but older decks had to give it. A deck may also state
	// a default.
	spared := func(v *variant, key, value string) bool {
		return v.block == "particle" && strings.Contains(v.keys, "fixed") && (key == "mass" || key == "density") ||
			v.block == "rigid" && key == "fixed" || v.block == "interaction" && value == `"curve"`
	}
	all := map[string]*tables.Key{}
	for _, b := range Reference() {
		for i := range b.Keys {
			all[b.Keys[i].Name] = &b.Keys[i]
		}
	}
	for _, name := range contact.Names() {
		model, _ := contact.Lookup(name)
		for _, p := range model.Parameters {
			if all[p.Name] == nil {
				all[p.Name] = &tables.Key{Name: p.Name, Kind: tables.Quantity}
			}
		}
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	used, foreign := map[string]bool{}, map[string]bool{}
	for _, v := range variants(t) {
		plain, err := made(v.text(""))
		if err != nil {
			t.Errorf("[%s]\n%s\n%v", v.block, v.keys, err)
			continue
		}
		block := schemaOf(v.block)
		for _, name := range names {
			if strings.Contains("\n"+v.keys, "\n"+name+" =") {
				used[fmt.Sprintf("%s %d", v.block, counts(t, &v, "", name))] = true
			}
			known := slices.Contains(tables.KeysOf(block.Keys), name) || v.block == "law" && modelHas(v.keys, name)
			if at := v.block + " " + name; !known && v.block != "law" && foreign[at] {
				continue // of the block in another variant
			} else if !known {
				foreign[at] = true
			}
			values := map[string]bool{other(all[name]): true}
			for i := range block.Keys {
				if k := &block.Keys[i]; k.Name == name {
					values[other(k)] = true
					for _, w := range k.Words {
						if q := fmt.Sprintf("%q", w); q != k.Default {
							values[q] = true
						}
					}
				}
			}
			if model, ok := contact.Lookup(modelOf(v.keys)); ok && v.block == "law" {
				if p, takes := model.Parameter(name); takes {
					values = map[string]bool{fmt.Sprint(allowed(p, 0.9)): true}
				}
			}
			for value := range values {
				w, line := v, name+" = "+value
				var lines []string
				for _, l := range strings.Split(v.keys, "\n") {
					if !strings.HasPrefix(l, name+" =") {
						lines = append(lines, l)
					}
				}
				w.keys = strings.Join(lines, "\n")
				got, err := made(w.text(line))
				var positioned *tables.Error
				switch {
				case err != nil:
					if !errors.As(err, &positioned) {
						t.Errorf("[%s]\n%s\n%s: the error has no position: %v", v.block, v.keys, line, err)
					}
				case !known:
					t.Errorf("[%s]\n%s\ntakes %s, which is none of its keys", v.block, v.keys, line)
				case got == plain && !spared(&v, name, value) && !strings.Contains("\n"+v.keys, "\n"+line) && !usual(t, &v, name, value):
					t.Errorf("[%s]\n%s\nignores %s", v.block, v.keys, line)
				default:
					used[fmt.Sprintf("%s %d", v.block, counts(t, &w, line, name))] = true
				}
			}
		}
	}
	for _, b := range Reference() {
		for i, k := range b.Keys {
			if !used[fmt.Sprintf("%s %d", b.Name, i)] {
				t.Errorf("no deck of the test uses the line %d of %s, %s %v", i, b.Header(), k.Name, k.With)
			}
			if k.Doc == "" || b.Doc == "" {
				t.Errorf("%s %s has no description", b.Header(), k.Name)
			}
			for _, w := range k.Words {
				if !strings.Contains(k.Doc, `"`+w+`"`) {
					t.Errorf("the description of %s %s does not name %q", b.Header(), k.Name, w)
				}
			}
		}
	}
}

// usual tells whether a value is the default of a key.
func usual(t *testing.T, v *variant, key, value string) bool {
	i := counts(t, v, "", key)
	return i >= 0 && schemaOf(v.block).Keys[i].Default == value
}

func modelOf(keys string) string {
	_, rest, _ := strings.Cut(keys, "model = \"")
	name, _, _ := strings.Cut(rest, "\"")
	return name
}

func modelHas(keys, parameter string) bool {
	model, _ := contact.Lookup(modelOf(keys))
	_, ok := model.Parameter(parameter)
	return ok
}

// counts returns which line of the table holds for a key of the last table of a
// variant's deck, -1 for none.
func counts(t *testing.T, v *variant, line, key string) int {
	t.Helper()
	doc, err := tables.Open("deck.toml", []byte(v.text(line)))
	if err != nil {
		t.Fatal(err)
	}
	d, err := parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	var values any = doc.Values
	for _, word := range strings.Split(v.block, ".") {
		if word != "" {
			values = values.(map[string]any)[word]
		}
		if list, ok := values.([]any); ok {
			values = list[len(list)-1]
		}
	}
	table := doc.Table(schemaOf(v.block), "", "", values.(map[string]any))
	if table.Block.Facts != nil {
		table.Block.Facts(d, table)
	}
	k, _ := table.Entry(key, nil)
	for i := range table.Keys {
		if k == &table.Known[i] {
			return i
		}
	}
	return -1
}

// Every default of the table is what the reader makes where the key is left
// out: written down it changes nothing.
func TestDefaultsAreMade(t *testing.T) {
	numbers := map[string]string{"duration/100": "0.02", "duration/1000": "0.002", "duration/10": "0.2", "0.01 duration": "0.02", "thickness": "1", "friction": "0.2"}
	words := map[string]string{ // what Else says, where a deck can say it
		"heat crack_heat":      "1",
		"material stress_free": "300", "material plastic_heat": "0.9", "bolt spacing": "1", "convection ambient": "300",
		"beam tensile_strength": "3e7", "beam.interface normal_stiffness": "1e12", "beam.interface shear_stiffness": "1e12",
		"interaction name": `"all-all"`, "contact name": `"target-striker"`, "tie name": `"face-target"`, "fix schedule": "[[0, 0], [2, 1]]", "material tensile_strength": "17320.508075688776", "rigid fixed": "true", "fluid volume": "1", "initial_stress in": `["striker", "target"]`, "initial_stress gradient": "76518",
		"analysis largest_increment": "0.05", "analysis smallest_increment": "4.8828125e-05", "output fields_every": "0.1", "fracture.bedding tensile_strength": "5e6", "fracture.bedding cohesion": "1e7", "fracture.bedding friction": "0.5", "fracture.bedding energy_tension": "10", "fracture.bedding energy_shear": "20", "output checkpoint_every": "9.765625e-05",
	}
	unsaid := []string{"bolt plate_stiffness", "excavate ramp", "stage lasts", "stage ramp", "fluid volume", "fluid density", "fluid cracks", "contact law", "result share_of", "output fields", "output contact_every", "rigid depth", "rigid inertia", "particle spacing", "interaction stick_ratio", "drive components", "drive centre", "spring name", "spring components", "spring free_length", "drive about", "fix about", "drive name", "fix name", "temperature name", "heat_flux name", "convection name", "pore_pressure name", "inflow name", "material biot", "material grain_bulk"} // it cannot: see the tests of each
	checked := map[string]bool{}
	for _, v := range variants(t) {
		plain, err := made(v.text(""))
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range schemaOf(v.block).Keys {
			if strings.Contains("\n"+v.keys, "\n"+k.Name+" =") || k.Must() || k.Default == "-" {
				continue
			}
			value := k.Default
			if n, ok := numbers[value]; ok && k.Kind == tables.Quantity {
				value = n
			} else if k.Kind == tables.Quantity && strings.Contains(value, " ") {
				value = fmt.Sprintf("%q", value)
			}
			if k.Else != "" {
				value = words[v.block+" "+k.Name]
				if strings.Contains(v.keys, "hoek-brown") {
					value = "79072.70886662859"
				}
			}
			if v.block == "rigid" && k.Name == "fixed" {
				value = fmt.Sprint(!strings.Contains(v.keys, "motion") && !strings.Contains(v.keys, "mass") && !strings.Contains(v.keys, "density"))
			}
			at := fmt.Sprintf("%s %d", v.block, i)
			checked[at] = checked[at] || slices.Contains(unsaid, v.block+" "+k.Name)
			if value == "" || counts(t, &v, "", k.Name) != i {
				continue
			}
			if got, err := made(v.text(k.Name + " = " + value)); err == nil && got != plain {
				t.Errorf("[%s]\n%s\n%s = %s is not what holds without it\n%s", v.block, v.keys, k.Name, value, cmp.Diff(plain, got))
			} else if err != nil {
				t.Errorf("[%s]\n%s\n%s = %s: %v", v.block, v.keys, k.Name, value, err)
			} else {
				checked[at] = true
			}
		}
	}
	for _, b := range Reference() {
		for i, k := range b.Keys {
			if !checked[fmt.Sprintf("%s %d", b.Name, i)] && !k.Must() && k.Default != "-" {
				t.Errorf("the default of the line %d of %s, %s, is not compared", i, b.Header(), k.Name)
			}
		}
	}
}

// manyGroups is a mesh of two squares with more groups of all kinds.
func manyGroups() *mesh.Source {
	src := squares()
	for i := range 3 {
		src.X = append(src.X, r2.Vec{X: 10 + float64(i), Y: 9})
		src.NodeID = append(src.NodeID, int64(9+i))
	}
	src.Lines, src.LineID = append(src.Lines, [2]int32{8, 9}, [2]int32{9, 10}), append(src.LineID, 7, 8)
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "strip", Dim: 1, Number: 5, Elements: []int32{2, 3}})
	src.X, src.NodeID = append(src.X, r2.Vec{X: 5, Y: 0.5}), append(src.NodeID, 12) // of a body that the target is joined to
	src.Triangles, src.TriID = append(src.Triangles, [3]int32{5, 11, 6}), append(src.TriID, 9)
	src.Lines, src.LineID = append(src.Lines, [2]int32{4, 6}), append(src.LineID, 10)
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "half", Dim: 2, Number: 6, Elements: []int32{4}}, mesh.SourceGroup{Name: "seam", Dim: 1, Number: 7, Elements: []int32{4}})
	src.Lines, src.LineID = append(src.Lines, [2]int32{1, 2}), append(src.LineID, 11) // that faces the target
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "face", Dim: 1, Number: 8, Elements: []int32{5}})
	src.Points = append(src.Points, 9, 1) // within the strip, and of a body
	src.X, src.NodeID = append(src.X, r2.Vec{X: src.X[1].X, Y: -3}), append(src.NodeID, 13)
	src.Lines, src.LineID = append(src.Lines, [2]int32{1, 12}), append(src.LineID, 12)
	last := int32(len(src.Points))
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "pin", Dim: 0, Number: 9, Elements: []int32{last - 2}}, mesh.SourceGroup{Name: "root", Dim: 0, Number: 10, Elements: []int32{last - 1}},
		mesh.SourceGroup{Name: "arm", Dim: 1, Number: 11, Elements: []int32{6}})
	return src
}
