package main

import (
	"image/color"
	"math"

	"fdem/examples/scenes"
	"fdem/io/view"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
)

// discInHollow is the path of the disc, and its speed compared with that of rolling.
func discInHollow() (map[string]view.Row, error) {
	s, err := scenes.Open("examples/disc-in-hollow/hollow.toml")
	if err != nil {
		return nil, err
	}
	const radius, hollow = 0.05, 0.2 // [m]
	var path, speed view.Curve
	rolling := view.Curve{Name: "R |ω|"}
	speed.Name = "|v|"
	err = scenes.Finish(s, func() {
		d := s.Motions()[1]
		path.X, path.Y = append(path.X, 1e3*d.Centre.X), append(path.Y, 1e3*d.Centre.Y)
		speed.X, speed.Y = append(speed.X, s.Time), append(speed.Y, r2.Norm(d.Velocity))
		rolling.X, rolling.Y = append(rolling.X, s.Time), append(rolling.Y, radius*math.Abs(d.AngularVelocity))
	})
	if err != nil {
		return nil, err
	}
	circle := func(x, y, r float64) view.Curve {
		c := view.Curve{Colour: color.Gray{0x80}}
		for i := range 201 {
			sin, cos := math.Sincos(math.Pi * float64(i) / 100)
			c.X, c.Y = append(c.X, x+r*cos), append(c.Y, y+r*sin)
		}
		return c
	}
	return map[string]view.Row{"disc-in-hollow": {
		{Title: "Centre of the disc", X: "x (mm)", Y: "y (mm)", Even: true, Width: 12 * vg.Centimeter, Height: 12 * vg.Centimeter,
			Curves: []view.Curve{circle(0, 0, 1e3*hollow), circle(path.X[0], path.Y[0], 1e3*radius), path}},
		{Title: "Speed of the disc", X: "time (s)", Y: "speed (m/s)", Width: 12 * vg.Centimeter, Curves: []view.Curve{speed, rolling}},
	}}, nil
}
