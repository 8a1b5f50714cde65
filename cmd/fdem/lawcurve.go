package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/io/guard"
	"fdem/io/tables"
	"fdem/io/view"
	"fdem/materials/bulk"
	"fdem/materials/contact"

	"github.com/spf13/cobra"
)

// curveOptions are the flags of law curve.
type curveOptions struct {
	set                      []string
	spec, file, speed        string
	format, svgFile, pngFile string
	cohesive                 cohesiveOptions
}

// curveHelp is the help of fdem law curve.
const curveHelp = `Move one contact node, which is not in contact at first, along a path of deflections
(its penetrations into the other body) and write CSV to standard
output: deflection [m], rate [m/s], pressure [Pa], stored [J/m2] (recoverable
energy), dissipated [J/m2] (work done so far, including the approach from zero
deflection, minus the stored energy). A point law gives its
force [N] instead of the pressure, and energies in J. Damping has an effect only at a
rate, which --speed or --path-csv can give. --svg and --png draw a picture instead:
loading in solid lines, unloading dashed.

Values of --set are numbers in SI or quantities with a unit. If several laws are named,
all must be surface laws or all point laws, and each takes the values of its parameters;
"NAME.PARAMETER=VALUE" is for one law only. The rows then begin with the law's name.

--path lists turning points, separated by commas, each followed by a colon and the
number of equal steps towards it. The default is the number of the point
before, or 100. The first leg may be written START:END:STEPS. These two are the
same path, up to 20 um and back to zero, 200 steps each way; the rate is 0
unless --speed gives its size:
  0:20um:200,0
  0,20um:200,0

--path-csv reads the column "deflection" of a CSV file, in metres or in the
unit after the name, "deflection [um]", and the column "rate" if there is
one. Other columns, and lines that begin with #, are ignored.

A cohesive law is evaluated at one point of a crack that opens at its strength:
opening, slip [m], normal, shear [Pa] (traction between the faces), stored
[J/m2], dissipated [J/m2] (fracture energy), rubbed [J/m2] (friction), damage.
--path is the relative displacement of the faces, normal to them or at the --angle from
the normal towards shear; with --pressure it is the slip under that pressure. A
file has the columns "opening" and "slip". All named cohesive laws take all values of
--set. Closing and reopening show the --stiffness of a point, which a run
finds from its mesh, about E over the length of an edge.

A law of a material is evaluated in tension or compression along x, in plane stress:
strain (logarithmic), stress (Cauchy), kirchhoff [Pa], across (logarithmic lateral
strain), stored [J/m3], and its memory, for a triangle of 10 mm. --path is
the strain, --speed its rate [1/s]; --set also takes young and poisson, density
(1000), and tables as in "branches=0.5:1e-3 0.2:1".`

func newLawCurveCommand() *cobra.Command {
	var o curveOptions
	c := &cobra.Command{
		Use:   "curve NAME [NAME ...] --set PARAMETER=VALUE ... (--path SPEC | --path-csv FILE)",
		Short: "Evaluate laws along a path of deflections or openings, as numbers or a picture",
		Long:  curveHelp,
		Example: `  fdem law curve linear --set k="5 GPa/mm" --path 0:1um:10,0
  fdem law curve kostek --set m_p=0.653,m_e=0.462,m_ep=0.462 \
    --set e_p="0.534 um/MPa^0.653" --set e_e="1.148 um/MPa^0.462" \
    --set e_l="0.302 um/MPa^0.462" --set e_u="0.523 um/MPa^0.462" \
    --path-csv history.csv
  fdem law curve hertz thornton stronge ma-liu --set "radius=5 mm,modulus=114 GPa,yield=500 MPa" \
    --path 0:20um,0 --svg laws.svg
  fdem law curve cohesive-linear cohesive-concrete --set "tensile_strength=5 MPa,cohesion=15 MPa" \
    --set "energy_tension=20 J/m2,energy_shear=80 J/m2" --path 0:3um:60,0,12um --svg cracks.svg`,
		Args:              some("NAME"),
		ValidArgsFunction: completeLaw,
		RunE:              func(c *cobra.Command, args []string) error { return lawCurve(c.OutOrStdout(), args, &o) },
	}
	c.Flags().StringSliceVar(&o.set, "set", nil, "parameter and value, NAME=VALUE; may be repeated, or several with commas between")
	c.Flags().StringVar(&o.spec, "path", "", `turning points, such as "0:20um:200,0"`)
	c.Flags().StringVar(&o.file, "path-csv", "", `CSV file with a column "deflection"`)
	c.Flags().StringVar(&o.speed, "speed", "", "size of the deflection rate along --path [m/s]")
	c.Flags().StringVar(&o.cohesive.angle, "angle", "", `angle of a cohesive law's path, from 0, normal opening, to "90 deg", shear`)
	c.Flags().StringVar(&o.cohesive.pressure, "pressure", "", "pressure on the faces of a cohesive law while they slip")
	c.Flags().StringVar(&o.cohesive.stiffness, "stiffness", "", "stiffness of a cohesive law's point [Pa/m]; default 100 f^2/G")
	c.Flags().StringVarP(&o.format, "output", "o", "csv", "format of standard output: csv, svg or png")
	c.Flags().StringVar(&o.svgFile, "svg", "", "draw an SVG picture into this file instead")
	c.Flags().StringVar(&o.pngFile, "png", "", "draw a PNG picture into this file instead")
	demand(c, "path", "path-csv")
	return c
}

// drivenLaw is a law for a curve.
type drivenLaw struct {
	name string
	kind contact.Kind
	law  contact.Law
}

func lawCurve(out io.Writer, names []string, o *curveOptions) error {
	if !slices.Contains([]string{"csv", "svg", "png"}, o.format) {
		return fmt.Errorf("--output must be csv, svg or png, got %q", o.format)
	}
	if o.file != "" && o.speed != "" {
		return errors.New("--speed belongs to --path; with --path-csv the file has the rates")
	}
	for _, f := range o.files() {
		if f.path != "" && !strings.EqualFold(filepath.Ext(f.path), "."+f.format) {
			return fmt.Errorf("--%s must name a file that ends in .%s, got %q", f.format, f.format, f.path)
		}
		if f.path == "" {
			continue
		}
		if err := guard.Replace(f.path, guard.Pictures[f.format]); err != nil {
			return fmt.Errorf("--%s: %w", f.format, err)
		}
	}
	isCohesive := func(name string) bool { _, ok := lookupCohesive(name); return ok }
	if i := slices.IndexFunc(names, isCohesive); i >= 0 {
		if j := slices.IndexFunc(names, func(name string) bool { return !isCohesive(name) }); j >= 0 {
			if _, err := lookupLaw(names[j]); err != nil {
				return err
			}
			return fmt.Errorf("%s is a cohesive law and %s is not: their curves have no common axis, name them one by one", names[i], names[j])
		}
		return cohesiveCurve(out, names, o)
	}
	if flag := o.cohesive.given(); flag != "" {
		return fmt.Errorf("%s is for cohesive laws", flag)
	}
	if _, ok := bulk.Lookup(names[0]); ok {
		return bulkCurve(out, names, o)
	}
	laws, err := drivenLaws(names, o.set)
	if err != nil {
		return err
	}
	path, err := o.path()
	if err != nil {
		return err
	}
	if !o.draws() {
		return writeCurves(out, laws, path)
	}
	d, err := drawCurves(laws, path)
	if err != nil {
		return err
	}
	return o.save(out, d)
}

// pictureFile is the file of a picture, if its path is given.
type pictureFile struct{ path, format string }

func (o *curveOptions) files() [2]pictureFile {
	return [2]pictureFile{{o.svgFile, "svg"}, {o.pngFile, "png"}}
}

// draws tells whether the output is a picture, not numbers.
func (o *curveOptions) draws() bool { return o.format != "csv" || o.svgFile != "" || o.pngFile != "" }

// save writes the picture to the requested files, and to out.
func (o *curveOptions) save(out io.Writer, d *view.Diagram) error {
	for _, f := range o.files() {
		if f.path != "" {
			if err := d.Save(f.path, f.format); err != nil {
				return &exitError{exitFailed, err}
			}
		}
	}
	if o.format != "csv" {
		return d.Write(out, o.format)
	}
	return nil
}

// path reads the path. --speed gives each leg its rate, and each turning point
// the rate of the leg before it.
func (o *curveOptions) path() ([]point, error) {
	if o.file != "" {
		return readPath(o.file)
	}
	path, err := parsePath(o.spec)
	if err != nil || o.speed == "" {
		return path, err
	}
	v, err := tables.ParseQuantity(o.speed, tables.Velocity)
	if err != nil {
		return nil, fmt.Errorf("--speed: %w", err)
	}
	if v < 0 {
		return nil, fmt.Errorf("--speed must not be negative, got %g m/s", v)
	}
	for i := range path {
		from, to := max(i-1, 0), max(i, min(1, len(path)-1))
		switch d := path[to].deflection - path[from].deflection; {
		case d > 0:
			path[i].rate = v
		case d < 0:
			path[i].rate = -v
		}
	}
	return path, nil
}

// drivenLaws returns the named laws, each with those values that it has.
func drivenLaws(names, set []string) ([]drivenLaw, error) {
	var out []drivenLaw
	used := make([]bool, len(set))
	for _, name := range names {
		model, err := lookupLaw(name)
		if err != nil {
			return nil, err
		}
		own := set
		if len(names) > 1 {
			own = nil
			for i, s := range set {
				parameter, value, _ := strings.Cut(s, "=")
				parameter = strings.TrimSpace(parameter)
				if law, rest, one := strings.Cut(parameter, "."); one && law == name {
					s, parameter = rest+"="+value, rest
				}
				if _, takes := model.Parameter(parameter); takes {
					own, used[i] = append(own, s), true
				}
			}
		}
		values, err := lawValues(model, "--set", own)
		if err != nil {
			return nil, err
		}
		law, err := model.Build(values)
		if err != nil {
			return nil, err
		}
		if len(out) > 0 && out[0].kind != model.Kind {
			return nil, fmt.Errorf("%s is a %s law and %s a %s law: their curves have no common axis, name them one by one", out[0].name, out[0].kind, name, model.Kind)
		}
		out = append(out, drivenLaw{name, model.Kind, law})
	}
	if i := slices.Index(used, false); i >= 0 && len(names) > 1 {
		return nil, fmt.Errorf("--set: none of the laws has a parameter %q", set[i])
	}
	return out, nil
}

// writeCurves moves the laws along the path and writes the rows.
func writeCurves(out io.Writer, laws []drivenLaw, path []point) error {
	w := bufio.NewWriter(out)
	answer := "pressure"
	if laws[0].kind == contact.Point {
		answer = "force"
	}
	if len(laws) > 1 {
		fmt.Fprint(w, "law,")
	}
	fmt.Fprintf(w, "deflection,rate,%s,stored,dissipated\n", answer)
	row := make([]byte, 0, 128)
	for _, l := range laws {
		tr := newTrace(l.kind, l.law)
		for _, at := range path {
			pressure, stored, dissipated, err := tr.to(at)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			row = row[:0]
			if len(laws) > 1 {
				row = append(append(row, l.name...), ',')
			}
			row = appendRow(row, at.deflection, at.rate, pressure, stored, dissipated)
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// appendRow appends numbers in full, with commas between, and ends the line.
func appendRow(row []byte, numbers ...float64) []byte {
	for _, v := range numbers {
		row = append(strconv.AppendFloat(row, v, 'g', -1, 64), ',')
	}
	row[len(row)-1] = '\n'
	return row
}

// drawCurves moves the laws along the path. Each leg is a line: loading full,
// unloading dashed.
func drawCurves(laws []drivenLaw, path []point) (*view.Diagram, error) {
	d := &view.Diagram{Title: "Contact laws", LegendLeft: true}
	top, deep := 0.0, 0.0
	for _, l := range laws {
		tr := newTrace(l.kind, l.law)
		c := legs{Curve: view.Curve{Name: l.name}}
		for _, at := range path {
			force, _, _, err := tr.to(at)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l.name, err)
			}
			c.add(at.deflection, force)
			top, deep = max(top, force, -force), max(deep, at.deflection, -at.deflection)
		}
		d.Curves = append(append(d.Curves, c.done...), c.Curve)
	}
	if len(laws) == 1 {
		d.Title = "Contact law " + laws[0].name
	}
	forces := pressures
	d.Y = "pressure"
	if laws[0].kind == contact.Point {
		forces, d.Y = []scale{{1e6, "MN"}, {1e3, "kN"}, {1, "N"}, {1e-3, "mN"}}, "force"
	}
	d.X = "deflection"
	scaleAxes(d, deep, top, forces)
	return d, nil
}

// legs is a curve in parts: rising in full lines, falling dashed.
type legs struct {
	view.Curve              // the present part
	done       []view.Curve // earlier parts
}

// add continues the curve to a point.
func (l *legs) add(x, y float64) {
	if n := len(l.X); n > 0 && x != l.X[n-1] && (x < l.X[n-1]) != l.Dashed {
		dashed := !l.Dashed
		if n > 1 { // a leg ends
			l.done = append(l.done, l.Curve)
			l.Curve = view.Curve{X: l.X[n-1:], Y: l.Y[n-1:]}
		}
		l.Dashed = dashed
	}
	l.X, l.Y = append(l.X, x), append(l.Y, y)
}

var pressures = []scale{{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa"}, {1, "Pa"}}

// scaleAxes chooses units for lengths up to far [m] and values up to top.
func scaleAxes(d *view.Diagram, far, top float64, units []scale) {
	x := scaled(far, []scale{{1, "m"}, {1e-3, "mm"}, {1e-6, "um"}, {1e-9, "nm"}})
	y := scaled(top, units)
	d.X, d.Y = d.X+", "+x.unit, d.Y+", "+y.unit
	for i := range d.Curves {
		c := &d.Curves[i]
		c.X, c.Y = slices.Clone(c.X), slices.Clone(c.Y)
		for k := range c.X {
			c.X[k] /= x.value
			c.Y[k] /= y.value
		}
	}
}

// scale is a unit of an axis.
type scale struct {
	value float64
	unit  string
}

// scaled returns the largest unit that is not above the greatest value, or else
// the smallest unit.
func scaled(most float64, units []scale) scale {
	for _, u := range units {
		if most >= u.value {
			return u
		}
	}
	return units[len(units)-1]
}
