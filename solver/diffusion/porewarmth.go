package diffusion

import "slices"

// Thermal pressurisation. Warm fluid and grains take up more volume, so that the fluid of a node is
//
//	m = C p + sum over triangles b (V - V0)/3 - sum over triangles E V0 theta/3,
//	E = phi beta_f + (b - phi) 3 alpha
//
// with the temperature theta above the initial one, the volumetric expansion beta_f of the fluid and the
// linear one alpha of the grains (McTigue, J. Geophys. Res. 91, 1986). The skeleton expands by its own
// free strain, see Heat. The last sum is part of strain.

// temperatures returns those to which the pressures are found, above the initial one [K]; nil without heat
// or expansion.
func (k *Pores) temperatures() []float64 {
	switch {
	case k.heat == nil || k.heat.of == nil || !slices.ContainsFunc(k.of.Expansion, func(e float64) bool { return e != 0 }):
		return nil
	case k.Static != nil && k.heat.tried:
		return k.heat.trial.theta
	}
	return k.heat.now.theta
}

// expansion returns E V0/3 of a triangle [m3/K].
func (k *Pores) expansion(t int32) float64 {
	if m := k.material[t]; int(m) < len(k.of.Expansion) {
		return k.of.Expansion[m] * k.volume[t] / 3
	}
	return 0
}

// addWarmth adds the part of temperatures in m to strain.
func (k *Pores) addWarmth(theta []float64) {
	if theta == nil {
		return
	}
	for i := range k.wet {
		w := &k.wet[i]
		e := k.expansion(w.at)
		for _, n := range w.nodes {
			k.strain[n] -= float64(e * theta[n])
		}
	}
}

// keepWarmth keeps the temperatures of the last commit.
func (k *Pores) keepWarmth() {
	if theta := k.temperatures(); theta != nil {
		k.warmth = append(k.warmth[:0], theta...)
	}
}

// warmVolume returns the sum of the parts of temperatures in m at the last commit [m3].
func (k *Pores) warmVolume() (sum float64) {
	if len(k.warmth) == 0 {
		return 0
	}
	for i := range k.wet {
		w := &k.wet[i]
		e := k.expansion(w.at)
		for _, n := range w.nodes {
			sum -= float64(e * k.warmth[n])
		}
	}
	return sum
}
