package deck

import (
	"fmt"
	"io"
	"slices"

	"fdem/io/columns"
	"fdem/io/tables"
)

// Column returns a column of quantities in SI. It fails if the column is
// missing or named twice, and at a cell that is not a quantity of the
// dimension.
func Column(t *columns.Table, name string, dim tables.Dimension) ([]float64, error) {
	return t.Numbers(name, func(text string) (float64, error) { return tables.ParseQuantity(text, dim) })
}

// ballColumn is a column of a CSV file of particles.
type ballColumn struct {
	name string
	dim  tables.Dimension
	of   func(b *ball) *float64
	at   int // its index, -1 if it is missing
}

// number reads a cell.
func (c *ballColumn) number(text string) (float64, error) {
	v, err := tables.ParseQuantity(text, c.dim)
	size := c.name == "radius" || c.name == "mass"
	if err == nil && size && !(v > 0) {
		err = fmt.Errorf("must be positive, got %g", v)
	}
	if err == nil {
		check := tables.PlausibleComponent
		if size {
			check = tables.Plausible
		}
		if err = check(v, c.dim); err != nil {
			err = fmt.Errorf("the value %w", err)
		}
	}
	return v, err
}

// scanBalls reads rows of particles and returns the columns of the file. Values
// without a column are those of all.
func scanBalls(name string, in io.Reader, all ball) (out []ball, given []string, err error) {
	r, err := columns.NewReader(name, in)
	if err != nil {
		return nil, nil, err
	}
	wanted := []ballColumn{
		{"x", tables.Length, func(b *ball) *float64 { return &b.x.X }, -1},
		{"y", tables.Length, func(b *ball) *float64 { return &b.x.Y }, -1},
		{"radius", tables.Length, func(b *ball) *float64 { return &b.radius }, -1},
		{"vx", tables.Velocity, func(b *ball) *float64 { return &b.v.X }, -1},
		{"vy", tables.Velocity, func(b *ball) *float64 { return &b.v.Y }, -1},
		{"omega", tables.AngularVelocity, func(b *ball) *float64 { return &b.spin }, -1},
		{"mass", tables.Mass, func(b *ball) *float64 { return &b.mass }, -1},
	}
	var known []string
	for _, c := range wanted {
		known = append(known, c.name)
	}
	for _, title := range r.Names {
		if !slices.Contains(known, title) {
			return nil, nil, r.Wrong("unknown column %q%s", title, tables.Nearest(title, known))
		}
	}
	for i := range wanted {
		c := &wanted[i]
		if c.at, err = r.Find(c.name); err != nil {
			return nil, nil, err
		}
		if c.at < 0 && (i < 2 || c.name == "radius" && !(all.radius > 0)) {
			return nil, nil, r.Wrong("there is no column %q", c.name)
		}
	}
	for {
		row, err := r.Next()
		if err == io.EOF {
			return out, r.Names, nil
		} else if err != nil {
			return nil, nil, err
		}
		b := all
		for i := range wanted {
			c := &wanted[i]
			if c.at < 0 {
				continue
			}
			if *c.of(&b), err = r.Number(row[c.at], c.at, c.number); err != nil {
				return nil, nil, r.At(r.Line(), err)
			}
		}
		if out = append(out, b); len(out) > maxParticles {
			return nil, nil, fmt.Errorf("%s: more than %d particles: the file may have at most so many rows", name, maxParticles)
		}
	}
}
