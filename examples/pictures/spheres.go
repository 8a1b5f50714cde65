package main

import (
	clearancejoint "fdem/examples/clearance-joint"
	spherechain "fdem/examples/sphere-chain"
	threeballs "fdem/examples/three-balls"
	"fdem/io/view"
)

// clearanceJoint is the force over the deflection under the law, and under the damper
// that replaces it.
func clearanceJoint() (map[string]view.Row, error) {
	d := &view.Diagram{Title: "Ball in a socket at 4 m/s", X: "deflection (µm)", Y: "force (kN)", LegendLeft: true}
	for _, law := range []struct{ name, deck string }{{"Ma and Liu's law", clearancejoint.Law}, {"eq. (53)", clearancejoint.Eq53}} {
		i, err := clearancejoint.Run(law.deck)
		if err != nil {
			return nil, err
		}
		c := view.Curve{Name: law.name}
		for _, p := range i.Curve {
			if p[0] >= 0 {
				c.X, c.Y = append(c.X, 1e6*p[0]), append(c.Y, 1e-3*p[1])
			}
		}
		d.Curves = append(d.Curves, c)
	}
	return map[string]view.Row{"force": {d}}, nil
}

// sphereChain is the height of the wave along the chain, and the wave as it
// passes a sphere, under three laws.
func sphereChain() (map[string]view.Row, error) {
	peaks := &view.Diagram{Title: "Greatest speed of each sphere", X: "sphere", Y: "speed (m/s)"}
	wave := &view.Diagram{Title: "The wave passes sphere 30", X: "time (ms)", Y: "speed (m/s)"}
	for _, law := range []struct{ name, text string }{
		{"Hertz", spherechain.Hertz}, {"Tsuji, restitution 0.97", spherechain.Tsuji}, {"eq. (55), restitution 0.97", spherechain.Eq55},
	} {
		w, err := spherechain.Run(law.text)
		if err != nil {
			return nil, err
		}
		p := view.Curve{Name: law.name}
		for i := 1; i <= 60; i++ {
			if w.Peak[i] > 0 {
				p.X, p.Y = append(p.X, float64(i)), append(p.Y, w.Peak[i])
			}
		}
		q := view.Curve{Name: law.name, Y: w.Probe}
		for _, t := range w.Time {
			q.X = append(q.X, 1e3*t)
		}
		peaks.Curves, wave.Curves = append(peaks.Curves, p), append(wave.Curves, q)
	}
	return map[string]view.Row{"attenuation": {peaks}, "wave": {wave}}, nil
}

// threeBalls is the force between two of the balls over their overlap, with
// and without memory.
func threeBalls() (map[string]view.Row, error) {
	out := map[string]view.Row{}
	for _, c := range []struct{ name, title, deck string }{
		{"resumed", "Second and third ball: compression resumes", threeballs.Resumed},
		{"second", "Second and third ball: a second impact", threeballs.Second},
	} {
		d := &view.Diagram{Title: c.title, X: "overlap of the balls (µm)", Y: "force between them (N)", LegendLeft: true}
		for _, memory := range []string{"basic", "enhanced"} {
			path, err := threeballs.Path(c.deck, memory)
			if err != nil {
				return nil, err
			}
			d.Curves = append(d.Curves, view.Curve{Name: memory, X: path[0], Y: path[1], Dashed: memory == "basic"})
		}
		out[c.name] = view.Row{d}
	}
	return out, nil
}
