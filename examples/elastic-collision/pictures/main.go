// Command pictures runs the elastic collision and draws the pictures of its
// README into a folder.
//
//	go run ./examples/elastic-collision/pictures examples/elastic-collision
package main

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"fdem/fem"
	"fdem/io/deck"
	"fdem/io/gmsh"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER, which holds elastic-collision.msh and .toml")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// frame is the state at one of the times of the paper's figure 14.
type frame struct {
	time  float64
	x     []r2.Vec
	mises []float64
}

func run(dir string) error {
	d, err := deck.Read(filepath.Join(dir, "elastic-collision.toml"))
	if err != nil {
		return err
	}
	src, err := gmsh.Read(filepath.Join(dir, "elastic-collision.msh"))
	if err != nil {
		return err
	}
	built, err := mesh.Build(src, d.BodyNames())
	if err != nil {
		return err
	}
	m, _, err := deck.Model(d, built)
	if err != nil {
		return err
	}
	m.FieldsEvery = m.Duration / 11 // twelve frames, (a) to (l)
	s, err := solver.New(m)
	if err != nil {
		return err
	}
	var vx, vy, force, kinetic, strain, heat plotter.XYs
	var frames []frame
	err = s.Run(context.Background(), solver.Output{
		Row: func() error {
			us := 1e6 * s.Time
			v, e := s.Motions()[0].Velocity, s.Energies()
			vx = append(vx, plotter.XY{X: us, Y: v.X})
			vy = append(vy, plotter.XY{X: us, Y: v.Y})
			force = append(force, plotter.XY{X: us, Y: s.ContactForces()[0].Normal})
			kinetic = append(kinetic, plotter.XY{X: us, Y: 1e3 * e.Kinetic})
			strain = append(strain, plotter.XY{X: us, Y: 1e3 * e.Strain})
			heat = append(heat, plotter.XY{X: us, Y: 1e3 * (e.ContactDissipated + e.FrictionDissipated)})
			return nil
		},
		Frame: func() error {
			f := frame{time: s.Time, x: append([]r2.Vec(nil), s.X...)}
			stress := make([]fem.Stress, len(built.Triangles))
			s.Stresses(stress)
			for _, t := range stress {
				f.mises = append(f.mises, t.VonMises())
			}
			frames = append(frames, f)
			return nil
		},
	})
	if err != nil {
		return err
	}
	if err := drawVelocity(filepath.Join(dir, "velocity.png"), vx, vy); err != nil {
		return err
	}
	if err := drawLines(filepath.Join(dir, "force.png"), "Normal contact force", "N", []string{""}, force); err != nil {
		return err
	}
	if err := drawLines(filepath.Join(dir, "energy.png"), "Energy", "mJ", []string{"kinetic", "strain", "dissipated"}, kinetic, strain, heat); err != nil {
		return err
	}
	return drawFrames(filepath.Join(dir, "stages.png"), built, frames)
}

var colours = []color.Color{
	color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}, color.RGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff}, color.RGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff},
}

func timePlot(title, unit string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "time (us)"
	p.Y.Label.Text = unit
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	return p
}

func addLine(p *plot.Plot, i int, name string, xy plotter.XYs) error {
	l, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	l.Color, l.Width = colours[i], vg.Points(1.5)
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
	return nil
}

// drawVelocity draws the striker's velocity and the values the paper prints.
func drawVelocity(path string, vx, vy plotter.XYs) error {
	p := timePlot("Velocity of the striker, averaged over its mass", "m/s")
	for i, c := range []struct {
		name      string
		xy        plotter.XYs
		published plotter.XYs
	}{
		{"Vx", vx, plotter.XYs{{X: 94, Y: -1.25e-3}, {X: 385, Y: -0.330}}},
		{"Vy", vy, plotter.XYs{{X: 94, Y: 4.75e-2}, {X: 385, Y: 5.15e-2}}},
	} {
		if err := addLine(p, i, c.name, c.xy); err != nil {
			return err
		}
		dots, err := plotter.NewScatter(c.published)
		if err != nil {
			return err
		}
		dots.Color, dots.Radius, dots.Shape = colours[i], vg.Points(4), draw.RingGlyph{}
		p.Add(dots)
		p.Legend.Add(c.name+" published", dots)
	}
	return p.Save(16*vg.Centimeter, 9*vg.Centimeter, path)
}

func drawLines(path, title, unit string, names []string, lines ...plotter.XYs) error {
	p := timePlot(title, unit)
	for i, xy := range lines {
		if err := addLine(p, i, names[i], xy); err != nil {
			return err
		}
	}
	return p.Save(16*vg.Centimeter, 9*vg.Centimeter, path)
}

// magnified is how much displacements are enlarged in the stages.
const magnified = 60

// drawFrames draws all frames side by side: bodies displaced, coloured by von
// Mises stress on one scale.
func drawFrames(path string, m *mesh.Mesh, frames []frame) error {
	top := 0.0
	for _, f := range frames {
		for _, v := range f.mises {
			top = math.Max(top, v)
		}
	}
	top *= 0.5 // the peaks are local
	scale := moreland.ExtendedBlackBody()
	scale.SetMin(0)
	scale.SetMax(top)
	const columns = 6
	rows := (len(frames) + columns - 1) / columns
	img := vgimg.New(24*vg.Centimeter, vg.Length(rows)*11*vg.Centimeter)
	canvas := draw.New(img)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Points(4), PadY: vg.Points(4)}
	plots := make([][]*plot.Plot, rows)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
	}
	for i, f := range frames {
		p := plot.New()
		p.Title.Text = fmt.Sprintf("(%c) %.0f us", 'a'+i, 1e6*f.time)
		p.HideAxes()
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -12, 18, -1, 73
		p.Add(stage{m, f, scale})
		plots[i/columns][i%columns] = p
	}
	for j, row := range plot.Align(plots, tiles, canvas) {
		for i, c := range row {
			if plots[j][i] != nil {
				plots[j][i].Draw(c)
			}
		}
	}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// stage draws the triangles of one frame, in millimetres. Rigid motion is left
// as it is, so that the bodies' true distance shows.
type stage struct {
	mesh   *mesh.Mesh
	frame  frame
	colour palette.ColorMap
}

// Plot implements plot.Plotter.
func (s stage) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, t := range s.mesh.Triangles {
		fill, err := s.colour.At(math.Min(s.frame.mises[i], s.colour.Max()))
		if err != nil {
			continue
		}
		var corner []vg.Point
		for _, n := range t {
			a, b := s.mesh.X[n], s.frame.x[n]
			corner = append(corner, vg.Point{
				X: x(1e3 * (a.X + magnified*(b.X-a.X))),
				Y: y(1e3 * (a.Y + magnified*(b.Y-a.Y))),
			})
		}
		c.FillPolygon(fill, corner)
	}
}
