package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"fdem/solver"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

func newCheckCommand() *cobra.Command {
	var deckPath string
	c := &cobra.Command{
		Use:               "check MODEL",
		Short:             "Read and validate a model and say what a run of it would take",
		Example:           "  fdem check examples/elastic-collision/elastic-collision.msh",
		Args:              exactly("MODEL"),
		ValidArgsFunction: completeFiles("msh", "toml"),
		RunE:              func(c *cobra.Command, args []string) error { return check(c, args[0], deckPath) },
	}
	c.Flags().StringVar(&deckPath, "deck", "", "the deck, where it is not beside the mesh")
	return c
}

func check(c *cobra.Command, path, deckPath string) error {
	in, err := read(path, deckPath)
	if err != nil {
		return err
	}
	s, err := solver.New(in.model)
	var overlap *solver.OverlapError
	if err != nil && !errors.As(err, &overlap) {
		return in.blame(err)
	}
	out := c.OutOrStdout()
	m := in.model
	fmt.Fprintf(out, "%s\n%s with %s\n", orStem(m.Title, in.stem), in.deckPath, cmp.Or(in.meshPath, "no mesh"))
	for _, w := range in.warnings {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	lo, hi := span(slices.Concat(m.Mesh.X, m.Particles.X))
	size := r2.Norm(r2.Sub(hi, lo))
	for i, b := range s.Motions() {
		if i >= len(m.Mesh.Bodies) { // particles
			writeParticles(out, m, i-len(m.Mesh.Bodies), b, size)
			continue
		}
		body := m.Mesh.Bodies[i]
		lo, hi := body.Extent(m.Mesh)
		if k := i - len(m.Bodies); k >= 0 {
			state := "fixed"
			switch {
			case m.Rigids[k].Motion != nil:
				state = "driven"
			case b.Mass > 0:
				state = fmt.Sprintf("free, %.6g kg, %.6g kg m2, velocity %s m/s", b.Mass, m.Rigids[k].Inertia, average(&b, size))
			}
			fmt.Fprintf(out, "rigid %q: %d edges, %.4g mm by %.4g mm, %s\n", b.Name, body.EndEdge-body.FirstEdge, 1e3*(hi.X-lo.X), 1e3*(hi.Y-lo.Y), state)
			continue
		}
		if n := body.EndBeam - body.FirstBeam; n > 0 {
			of := &m.Bodies[i]
			fmt.Fprintf(out, "beam %q: %d elements, %d nodes, %.6g mm long, %.4g mm wide and %.4g mm high, %.6g kg of %s, velocity %s m/s\n",
				b.Name, n, len(body.Nodes), 1e3*m.Mesh.Length(&body), 1e3*of.Width, 1e3*of.Height, b.Mass, m.Materials[of.Material].Name, average(&b, size))
			continue
		}
		fmt.Fprintf(out, "body %q: %d triangles, %d nodes, %d boundary edges, %.6g kg of %s, %.4g mm by %.4g mm, velocity %s m/s\n",
			b.Name, body.End-body.First, len(body.Nodes), body.EndEdge-body.FirstEdge, b.Mass, m.Materials[m.Bodies[i].Material].Name,
			1e3*(hi.X-lo.X), 1e3*(hi.Y-lo.Y), average(&b, size))
	}
	for _, f := range m.Fixes {
		fmt.Fprintf(out, "fix %q: %d nodes, x %v, y %v", f.On, len(f.Nodes), f.X, f.Y)
		if len(m.Mesh.Beams) > 0 {
			fmt.Fprintf(out, ", rotation %v", f.Rotation)
		}
		fmt.Fprintln(out)
	}
	for i, k := range m.Contacts {
		sides := "one-sided"
		if k.TwoSided {
			sides = "two-sided"
		}
		fmt.Fprintf(out, "contact %q: %d contactor edges with %d contact nodes each, %d opposite edges, law %q, friction %g, %s\n",
			k.Name, len(k.Contactor), k.NodesPerElement, len(k.Opposite), k.LawName, k.Friction.Kinetic, sides)
		if overlap == nil {
			writeStiffness(out, s, i)
		}
	}
	for _, v := range m.ByVolume {
		fmt.Fprintf(out, "contact %q: by volume, %d pieces on %d, law %q, friction %g\n", v.Name, len(v.First), len(v.Second), v.LawName, v.Friction)
	}
	for _, name := range m.Particles.Interactions {
		fmt.Fprintf(out, "interaction %q\n", name)
	}
	if len(m.Mesh.Triangles) > 0 {
		q := m.Mesh.Quality()
		fmt.Fprintf(out, "mesh quality: worst %.3f (triangle %d), mean %.3f; smallest angle %.1f degrees; edges from %.4g to %.4g mm\n",
			q.Worst, q.WorstTriangle, q.Mean, q.SmallestAngle*180/math.Pi, 1e3*q.ShortestEdge, 1e3*q.LongestEdge)
		for i, across := range m.Mesh.Thin()[:len(m.Bodies)] {
			if across > 0 {
				fmt.Fprintf(out, "body %q has about %.0f triangles across: it bends too stiffly, by 8 to 12 %% with 5 of them, 2 to 4 %% with 10, 1 %% with 20\n", m.Bodies[i].Name, across)
			}
		}
	}
	if overlap != nil {
		return in.blame(err)
	}
	if m.Static != nil {
		fmt.Fprintf(out, "static: %d unknowns, increments of %.4g of %.4g, not below %.3g\n", s.Freedoms.N, m.Static.Increment, m.Duration, m.Static.Smallest)
		if loose := s.Loose(); len(loose) > 0 {
			fmt.Fprintln(out, solver.Advice(loose))
		}
		return writeSizes(out, in, s)
	}
	steps := math.Ceil(m.Duration / s.Limit)
	each, err := pace(s)
	if err != nil {
		return fmt.Errorf("%s: %w", in.deckPath, err)
	}
	fmt.Fprintf(out, "step %.4g s, %.0f steps to %.4g s, about %s without contact and output\n", s.Limit, steps, m.Duration,
		howLong(steps*each.Seconds(), 100*time.Millisecond))
	if cost := s.DampingCost(); cost != "" {
		fmt.Fprintln(out, cost)
	}
	fmt.Fprintf(out, "memory about %.0f MB\n", 1e-6*float64(s.Bytes()))
	return writeSizes(out, in, s)
}

// writeStiffness says how stiff a contact is, and what to expect of it at a
// pressure at which the softer side is strained by a thousandth.
func writeStiffness(out io.Writer, s *solver.Solver, i int) {
	k := &s.Model.Contacts[i]
	if k.Young == 0 { // rigid bodies
		if k.Factor > 0 {
			fmt.Fprintf(out, "  %s\n", found(k))
		}
		return
	}
	const strain = 1e-3
	e := s.Expect(i, strain*k.Young)
	if k.Factor > 0 {
		fmt.Fprintf(out, "  %s\n", found(k))
	} else {
		fmt.Fprintf(out, "  k = %.3g Pa/m at %.3g Pa, %.3g of what k = \"auto\" would be, of the softer side's %.3g Pa and the finer edges' %.3g mm\n",
			e.Stiffness, strain*k.Young, e.Stiffness/k.Suited, k.Young, 1e3*k.Edge)
	}
	fmt.Fprintf(out, "  deflection %.3g m at %.3g Pa, a thousandth of the softer side's modulus: %.2g of the finer edge", e.Deflection, strain*k.Young, e.Deflection/k.Edge)
	if s.Static == nil {
		fmt.Fprintf(out, "; step %.3g s where it presses, %.3g s where nothing does", e.Step, e.Free)
	}
	fmt.Fprintln(out)
}

// found says where the stiffness of a contact comes from.
func found(k *solver.Contact) string {
	from := "masses and sizes of the rigid bodies"
	if k.Young > 0 {
		from = fmt.Sprintf("the softer side's %.3g Pa and the finer edges' %.3g mm", k.Young, 1e3*k.Edge)
	}
	times := ""
	if k.Factor != 1 {
		times = fmt.Sprintf(", k_factor %g", k.Factor)
	}
	return fmt.Sprintf("k = %.6g Pa/m (auto, from %s%s)", k.Factor*k.Suited, from, times)
}

// writeParticles says what a block of particles is.
func writeParticles(out io.Writer, m *solver.Model, group int, b solver.BodyMotion, extent float64) {
	p := &m.Particles
	g := p.Groups[group]
	radii := p.Radius[g.First:g.End]
	low, high := slices.Min(radii), slices.Max(radii)
	size := fmt.Sprintf("radius %.4g mm", 1e3*low)
	if high > low {
		size = fmt.Sprintf("radii %.4g to %.4g mm", 1e3*low, 1e3*high)
	}
	state := fmt.Sprintf("%.6g kg, mean velocity %s m/s", b.Mass, average(&b, extent))
	if b.Mass == 0 {
		state = "held"
	}
	fmt.Fprintf(out, "particles %q: %d, %s, %s\n", g.Name, g.End-g.First, size, state)
}

// span returns the corners of the box around points.
func span(x []r2.Vec) (lo, hi r2.Vec) {
	for i, p := range x {
		if i == 0 {
			lo, hi = p, p
		}
		lo, hi = r2.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, r2.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	return lo, hi
}

// average writes the velocity of a body or of particles in a model of a size
// [m], without the rounding of the average.
func average(b *solver.BodyMotion, size float64) string {
	fastest := r2.Norm(b.Velocity) + math.Abs(b.AngularVelocity)*size
	v := b.Velocity
	for _, c := range []*float64{&v.X, &v.Y} {
		if math.Abs(*c) <= 1e-12*fastest {
			*c = 0
		}
	}
	return fmt.Sprintf("(%.6g, %.6g)", v.X, v.Y)
}

// pace measures how long a step takes, on a few of them.
func pace(s *solver.Solver) (time.Duration, error) {
	const warm, few = 2, 5 // the first make what later ones find
	var began time.Time
	for k := range warm + few {
		if k == warm {
			began = time.Now()
		}
		if err := s.Step(s.Limit, nil); err != nil {
			return 0, err
		}
	}
	return time.Since(began) / few, nil
}
