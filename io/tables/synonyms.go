package tables

import (
	"fmt"
	"slices"
	"strings"
)

// Synonyms are the names of keys in textbooks and other programs, in small letters, with the
// keys that may be meant. A message names the first key that its block has.
var Synonyms = map[string][]string{
	"e": {"young"}, "emod": {"young"}, "modulus": {"young"}, "youngs_modulus": {"young"}, "young_modulus": {"young"}, "elastic_modulus": {"young"},
	"nu": {"poisson"}, "poissons_ratio": {"poisson"}, "poisson_ratio": {"poisson"}, "rho": {"density"},
	"mu": {"friction"}, "mu_s": {"static_friction"}, "friction_coefficient": {"friction"}, "friction_angle": {"friction"}, "phi": {"friction"}, "tan_phi": {"friction"},
	"ft": {"tensile_strength"}, "f_t": {"tensile_strength"}, "tension": {"tensile_strength"}, "strength": {"tensile_strength"}, "c": {"cohesion", "damping"}, "gf": {"energy_tension"}, "g_f": {"energy_tension"}, "gi": {"energy_tension"}, "g_i": {"energy_tension"}, "gii": {"energy_shear"}, "g_ii": {"energy_shear"},
	"dt": {"step"}, "timestep": {"step"}, "time_step": {"step"}, "t_end": {"duration"}, "tend": {"duration"}, "end_time": {"duration"}, "end": {"duration"}, "time": {"duration", "at"}, "total_time": {"duration"},
	"g": {"gravity"}, "v": {"velocity"}, "u": {"displacement"}, "omega": {"angular_velocity"}, "w": {"angular_velocity", "width"}, "h": {"height"}, "b": {"width"}, "t": {"thickness"}, "r": {"radius"}, "m": {"mass"}, "i": {"inertia"}, "diameter": {"radius"}, "size": {"width"}, "free": {"fixed"}, "static": {"fixed"}, "points": {"corners"}, "vertices": {"corners"},
	"k": {"stiffness"}, "kn": {"k"}, "dashpot": {"damping"}, "master": {"opposite"}, "slave": {"contactor"}, "target": {"opposite"}, "primary": {"opposite"}, "secondary": {"contactor"},
	"p": {"pressure"}, "f": {"force"}, "load": {"force"}, "amplitude": {"schedule"}, "output_every": {"fields_every"}, "frames_every": {"fields_every"}, "save_every": {"fields_every"}, "group": {"on", "name"}, "surface": {"on", "name"}, "elset": {"name", "on"}, "nset": {"on"}, "x": {"position"}, "center": {"centre"},
}

// Synonym returns the block's key for another program's name, "" for none.
func Synonym(name string, known []string) string {
	for _, key := range Synonyms[strings.ToLower(strings.ReplaceAll(name, "-", "_"))] {
		if slices.Contains(known, key) {
			return fmt.Sprintf(": here it is %q", key)
		}
	}
	return ""
}
