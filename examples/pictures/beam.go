package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"fdem/examples/scenes"
	"fdem/io/view"
	"fdem/solver"

	"gonum.org/v1/plot/vg"
)

// phase is a part of the run in which the force only rises or only falls.
type phase struct {
	file, title          string
	from, to             float64 // [s] of pseudo-time
	pressure, deflection view.Diagram
}

// beamOnFlat is figures 8 to 11 of the paper.
func beamOnFlat() (map[string]view.Row, error) {
	s, err := scenes.Open("examples/beam-on-flat/beam-on-flat.toml")
	if err != nil {
		return nil, err
	}
	phases := []phase{
		{file: "loading", title: "First loading", from: 0, to: 0.3125},
		{file: "unloading", title: "Unloading", from: 0.3125, to: 0.625},
		{file: "reloading", title: "Reloading", from: 0.625, to: 1},
	}
	var cycle view.Curve
	err = scenes.Finish(s, func() {
		kN := 10 * s.Loads[0].Schedule(s.Time)
		pressure, deflection := along(s)
		cycle.X, cycle.Y = append(cycle.X, deflection.Y[slices.Index(deflection.X, 0)]), append(cycle.Y, kN)
		for i := range phases {
			h := &phases[i]
			within := s.Time > h.from-1e-9 && s.Time < h.to+1e-9
			whole := math.Abs(kN-2*math.Round(kN/2)) < 1e-6 && kN > 1e-6
			if last := i == 1 && math.Abs(kN-0.2) < 1e-6; within && (whole || last) {
				h.add(kN, pressure, deflection)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := map[string]view.Row{"hysteresis": {{
		Title: "Force and deflection of the middle (figure 8)", X: "deflection (µm)", Y: "force (kN)",
		Height: 11 * vg.Centimeter, Curves: []view.Curve{cycle},
	}}}
	for i := range phases {
		h := &phases[i]
		h.pressure.Title, h.deflection.Title = h.title+": pressure", h.title+": deflection"
		h.pressure.Y, h.deflection.Y = "pressure (MPa)", "deflection (µm)"
		for _, d := range []*view.Diagram{&h.pressure, &h.deflection} {
			d.X, d.Width, d.Height = "along the beam (mm)", 13*vg.Centimeter, 11*vg.Centimeter
		}
		h.deflection.LegendLeft, h.deflection.Room = true, 0.55
		out[h.file] = view.Row{&h.pressure, &h.deflection}
	}
	return out, nil
}

// add adds the curves at a force, from blue to red.
func (h *phase) add(kN float64, pressure, deflection view.Curve) {
	red := kN / 12 // 0 to 1
	pressure.Colour = color.RGBA{uint8(40 + 190*red), uint8(70 + 20*(1-red)), uint8(200 - 170*red), 0xff}
	deflection.Colour, deflection.Name = pressure.Colour, fmt.Sprintf("%.3g kN", kN)
	h.pressure.Curves = append(h.pressure.Curves, pressure)
	h.deflection.Curves = append(h.deflection.Curves, deflection)
}

// along returns the pressure [MPa] and the deflection [um], negative if the beam is off
// the flat, over the length of the beam [mm].
func along(s *solver.Solver) (pressure, deflection view.Curve) {
	c := s.Surfaces[0]
	start, now, pressures := c.Positions(nil, s.Mesh.X), c.Positions(nil, s.X), c.PerContactNode(nil, c.Pressures())
	var below []int
	for i, x := range start {
		if x.Y < 1e-3 {
			below = append(below, i)
		}
	}
	slices.SortStableFunc(below, func(a, b int) int { return cmp.Compare(start[a].X, start[b].X) })
	for _, i := range below {
		mm := math.Round(1e6*start[i].X) / 1e3
		pressure.X, pressure.Y = append(pressure.X, mm), append(pressure.Y, 1e-6*pressures[i])
		deflection.X, deflection.Y = append(deflection.X, mm), append(deflection.Y, -1e6*now[i].Y)
	}
	return pressure, deflection
}
