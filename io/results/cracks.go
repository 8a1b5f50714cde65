package results

import (
	"errors"
	"math"
	"path/filepath"
	"slices"

	"fdem/fem/fracture"
	"fdem/io/vtk"
	"fdem/io/whole"
	"fdem/solver"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// CrackSummary is the lengths [m] and numbers of cracks.
type CrackSummary struct {
	Inserted      float64 `json:"inserted"` // length of all edges that are open [m]
	Broken        float64 `json:"broken"`
	Tension       float64 `json:"tension"` // of the broken edges, by the greater part of their energy
	Shear         float64 `json:"shear"`
	InsertedEdges int     `json:"inserted_edges"`
	BrokenEdges   int     `json:"broken_edges"`
	// InsertedPerBroken is the number of open edges over that of broken edges.
	// EnergyPerBroken is the energy dissipated by all edges over the fracture
	// energy of the broken ones. Both are near 1 if few edges open without
	// breaking.
	InsertedPerBroken float64 `json:"inserted_per_broken"`
	EnergyPerBroken   float64 `json:"energy_per_broken"`
	Fragments         int     `json:"fragments"`
}

// rearrange updates the mesh for nodes that cracks have added since the last
// frame.
func (r *Writer) rearrange() {
	z := r.solver.Cracks()
	if z == nil || z.Openings() == r.openings {
		return
	}
	r.openings = z.Openings()
	r.grid = vtk.Grid{}
	r.ofLine = nil
	r.vtk.Reset()
	r.arrange()
}

// crackFrames are the cracks, with the lists of events and of fragments beside them.
var crackFrames = kind{
	name: "cracks", ext: ".vtp",
	has: func(s *solver.Solver) bool { return s.Cracks() != nil },
	collect: func(r *Writer) func(path string) error {
		lines, lists := r.crackLines(), append(eventLists(r.solver), list{fragmentsName, fragmentList(r.solver)})
		for _, l := range lists {
			r.written = append(r.written, filepath.Join(r.dir, l.name))
		}
		return func(path string) error {
			err := r.vtk.WriteLines(path, lines)
			for _, l := range lists {
				err = errors.Join(err, whole.WriteBytes(filepath.Join(r.dir, l.name), l.data))
			}
			return err
		}
	},
	size: func(r *Writer) (int, error) {
		n, f := 0, r.solver.Fracture
		for i, of := range f.Sizes {
			if i < len(f.Joints) && f.Joints[i] { // there from the start
				n += perCrack * of.Breakable
			} else {
				n += perCrack * of.Breakable / openShare
			}
		}
		return n * r.vtk.Files(".vtp"), nil
	},
}

// The approximate bytes of a crack in a frame, and the number of breakable edges per open
// edge, on average over a run in which a body breaks.
const (
	perCrack  = 170
	openShare = 16
)

// crackLines collects the cracks. Each is a line between the middles of its
// nodes, in the reference position, as in the fields.
func (r *Writer) crackLines() vtk.Lines {
	s, z := r.solver, r.solver.Cracks()
	var points, moved []r2.Vec
	columns, faced, filled := make([][]float64, len(ofCrackLines)), make([][]float64, len(ofFaceLines)), make([][]float64, len(ofFluidLines))
	for i := range z.Cracks() {
		c := z.Crack(i)
		for end := range 2 {
			a, b := c.Nodes[end], c.Nodes[2+end]
			x := s.Mesh.X[a]
			points = append(points, x)
			moved = append(moved, r2.Vec{X: float64(0.5*(s.X[a].X+s.X[b].X)) - x.X, Y: float64(0.5*(s.X[a].Y+s.X[b].Y)) - x.Y})
		}
		for k, q := range ofCrackLines {
			columns[k] = append(columns[k], q.value(&c))
		}
		for k, q := range ofFaceLines {
			faced[k] = append(faced[k], q.value(&c))
		}
		for k, q := range ofFluidLines {
			filled[k] = append(filled[k], q.value(s, c.Edge))
		}
	}
	out := vtk.Lines{Points: points, Time: s.Time, PointData: []vtk.Array{
		vtk.Vectors("displacement", func(k int) r2.Vec { return moved[k] }),
	}}
	for k, q := range ofCrackLines {
		out.CellData = append(out.CellData, vtk.Array{Name: q.of.Name, Components: 1, Float64: columns[k]})
	}
	for k, q := range ofFaceLines {
		if hasFaces(s) {
			out.CellData = append(out.CellData, vtk.Array{Name: q.of.Name, Components: 1, Float64: faced[k]})
		}
	}
	for k, q := range ofFluidLines {
		if len(s.Fluids) > 0 {
			out.CellData = append(out.CellData, vtk.Array{Name: q.of.Name, Components: 1, Float64: filled[k]})
		}
	}
	return out
}

// ofCrackLines lists the quantities of cracks in frames.
var ofCrackLines = []struct {
	of    *quantity.Quantity
	value func(c *fracture.Crack) float64
}{
	{quantity.Must(quantity.Crack, "opening"), func(c *fracture.Crack) float64 { return c.Opening }},
	{quantity.Must(quantity.Crack, "slip"), func(c *fracture.Crack) float64 { return c.Slip }},
	{quantity.Must(quantity.Crack, "damage"), func(c *fracture.Crack) float64 { return c.Damage }},
	{quantity.Must(quantity.Crack, "traction"), func(c *fracture.Crack) float64 { return c.Traction }},
	{quantity.Must(quantity.Crack, "mode"), func(c *fracture.Crack) float64 { return c.Mode }},
	{quantity.Must(quantity.Crack, "inserted_at"), func(c *fracture.Crack) float64 { return c.InsertedAt }},
	{quantity.Must(quantity.Crack, "broken_at"), func(c *fracture.Crack) float64 { return c.BrokenAt }},
	{quantity.Must(quantity.Crack, "energy"), func(c *fracture.Crack) float64 { return c.Energy }},
}

// ofFaceLines lists the further quantities of joints with a law of their faces.
var ofFaceLines = []struct {
	of    *quantity.Quantity
	value func(c *fracture.Crack) float64
}{
	{quantity.Must(quantity.Crack, "friction"), func(c *fracture.Crack) float64 { return c.Friction }},
	{quantity.Must(quantity.Crack, "slip_rate"), func(c *fracture.Crack) float64 { return c.SlipRate }},
	{quantity.Must(quantity.Crack, "slip_path"), func(c *fracture.Crack) float64 { return c.Path }},
}

// hasFaces tells whether a joint has a law of its faces.
func hasFaces(s *solver.Solver) bool {
	return s.Fracture != nil && slices.ContainsFunc(s.Fracture.Regions, func(r fracture.Region) bool { return r.Springs != nil && r.Springs.Faces != nil })
}

// ofFluidLines lists the further quantities of cracks if fluids may be in them.
var ofFluidLines = []struct {
	of    *quantity.Quantity
	value func(s *solver.Solver, edge int32) float64
}{
	{quantity.Must(quantity.Crack, "fluid_pressure"), func(s *solver.Solver, edge int32) float64 {
		p := s.Cracks().Pressure(edge)
		return 0.5 * (p[0] + p[1])
	}},
	{quantity.Must(quantity.Crack, "aperture"), func(s *solver.Solver, edge int32) float64 { return s.Kinds.Fluids.In(edge).Aperture }},
	{quantity.Must(quantity.Crack, "flow"), func(s *solver.Solver, edge int32) float64 { return s.Kinds.Fluids.In(edge).Flow }},
	{quantity.Must(quantity.Crack, "saturation"), func(s *solver.Solver, edge int32) float64 { return s.Kinds.Fluids.In(edge).Saturation }},
}

// crackSummary returns the summary of cracks, nil if nothing can break.
func (r *Writer) crackSummary() *CrackSummary {
	s := r.solver
	z := s.Cracks()
	if z == nil {
		return nil
	}
	t, fragments := s.CrackTotals()
	sum := &CrackSummary{
		Inserted: t.Inserted, Broken: t.Broken, Tension: t.Tension, Shear: t.Shear,
		InsertedEdges: t.InsertedEdges, BrokenEdges: t.BrokenEdges, Fragments: fragments,
	}
	if t.BrokenEdges > 0 {
		sum.InsertedPerBroken = float64(t.InsertedEdges) / float64(t.BrokenEdges)
		broken := 0.0
		for i := range z.Cracks() {
			if c := z.Crack(i); !math.IsNaN(c.BrokenAt) && !c.Joint {
				broken += c.Energy
			}
		}
		if broken > 0 {
			sum.EnergyPerBroken = number(z.Energies().Fracture / broken)
		}
	}
	return sum
}
