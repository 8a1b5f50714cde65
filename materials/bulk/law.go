package bulk

import "slices"

// Material is the material of a body. Its elastic constants hold for every law at a
// small first strain.
type Material struct {
	Elastic
	Law Law // nil for St. Venant and Kirchhoff
}

// Law is a constitutive law at finite strain: a function of the deformation gradient F and
// of each triangle's memory. A law is one file, which registers it.
type Law interface {
	// Memory lists the values kept of each triangle; nil for none.
	Memory() []Value
	// Eval fills out for every triangle of in. It must not allocate, and a triangle's
	// bits must not depend on the others in the slice.
	Eval(in *Input, out *Output)
	// Tangent sets the tangent of triangle i of in, consistent with Eval.
	Tangent(in *Input, i int, t *Tangent)
}

// Value describes one value in a law's memory of each triangle.
type Value struct {
	Name  string
	Unit  string
	First float64 // value in a body without strain
	Shown bool    // shown in results, as a field of this name
}

// PlasticStrain is the name of the value that holds the equivalent plastic strain.
const PlasticStrain = "plastic_strain"

// Yields tells whether the material has a law with plastic strain.
func (m Material) Yields() bool { return m.Remembers(PlasticStrain) }

// Remembers tells whether the material has a law that keeps a value of that name.
func (m Material) Remembers(name string) bool {
	return m.Law != nil && slices.ContainsFunc(m.Law.Memory(), func(v Value) bool { return v.Name == name })
}

// Sized is a law that limits the size of triangles.
type Sized interface {
	Law
	Fits(size float64) error // root of the area [m]
	Softens() bool           // tells whether the law softens and so reads Input.Size
}

// Unsymmetric is a law whose tangent may be unsymmetric. A static analysis needs a symmetric
// one.
type Unsymmetric interface {
	Law
	Symmetric() error // nil if the tangent is symmetric
}

// Sharing is a law whose flow changes the volume. Pairs of triangles that share their volume
// also share their flow (pairflow.go). Otherwise each triangle would have to dilate as much as
// it shears.
type Sharing interface {
	Law
	// Share is called after Eval. It evaluates triangles i and i+1, i even, anew by their
	// mean strain, if both have a volume and one of them has flowed.
	Share(in *Input, out *Output, volume []float64)
	// PairTangent returns the tangent of the two triangles of in.
	PairTangent(in *Input, volume [2]float64) *PairTangent
}

// PairTangent is the tangent of two triangles that flow together, or not at all. The mean of their strains by
// volume has the tangent Mean, and the differences from it have Apart times the elastic one, but
// for the direction Along, a unit tensor xx, yy, xy or zero, in which they do not grow.
type PairTangent struct {
	Mean  [3][3]float64
	Apart float64
	Along [3]float64
	Shear float64    // shear modulus [Pa]
	Of    [2]Tangent // stresses of both triangles, and their elastic tangents
	// Elastic tells whether neither flows: then these are all.
	Elastic bool
}

// Yielding is a law with plastic flow.
type Yielding interface {
	Law
	// ElasticResponse returns the law without further plastic flow, from the same memory.
	ElasticResponse() Law
}

// Stiff is a law with moduli other than those of the material's Elastic. They bound its
// frequencies at a small strain.
type Stiff interface {
	Law
	Moduli(Plane) Moduli
}

// Stiffest returns the plane constants that bound the step.
func (m Material) Stiffest(p Plane) Moduli {
	if l, ok := m.Law.(Stiff); ok {
		return l.Moduli(p)
	}
	return m.Moduli(p)
}

// Temperature is the name of the value that holds the temperature [K].
const Temperature = "temperature"

// ViscousWork is the name of the value that holds the work of dashpots so far [J/m3].
const ViscousWork = "viscous_work"

// nearlyIncompressible is the Poisson's ratio above which single triangles are too
// stiff.
const nearlyIncompressible = 0.45

// SharesVolume tells whether triangles of the material lock in plane strain, so that pairs
// must share their volume. These are materials with plastic flow and nearly incompressible
// ones.
func (m Material) SharesVolume(p Plane) bool {
	return p == PlaneStrain && (m.Yields() || m.Poisson > nearlyIncompressible)
}

// Layer returns the modulus of a layer of triangles under contact pressure [Pa]. It is
// Young's modulus. For a nearly incompressible material in plane strain it is the constrained
// modulus K + 4/3 G, since such bodies carry pressures of many times Young's modulus.
func (m Material) Layer(p Plane) float64 {
	if p == PlaneStrain && m.Poisson > nearlyIncompressible {
		k, g := m.BulkShear()
		return k + float64(4./3*g)
	}
	return m.Young
}

// PlasticWork is the name of the value that holds the work of plastic strain so far [J/m3].
const PlasticWork = "plastic_work"

// Input is a slice of triangles; all slices have its length.
type Input struct {
	Plane              Plane
	Vector             bool    // the processor has AVX2, and laws may use it
	Step               float64 // step that led here [s]; 0 at the start
	FXX, FXY, FYX, FYY []float64
	Size               []float64   // root of the area of the reference configuration [m]; nil if no law softens
	Mem                [][]float64 // per value of Memory
	// Deformation gradients before the step, for the work of plastic strain in it; nil if
	// that is not needed.
	BXX, BXY, BYX, BYY []float64
	Before             func() // sets these when a triangle first flows; nil if they are set
	// Elastic part of the stretch across the plane in plane strain, with free strain; nil for 1.
	Across  []float64
	BAcross []float64 // before the step
}

// Output is the output of a law. Stresses and energies are per volume of the reference
// configuration.
type Output struct {
	TXX, TYY, TXY, TZZ []float64   // Kirchhoff stress tau = J sigma [Pa]
	Thickness          []float64   // thickness over the initial one; 1 in plane strain
	Energy             []float64   // stored [J/m3]
	Mem                [][]float64 // next memory; must not alias Input.Mem
}

// Tangent is Kirchhoff's stress and its spatial tangent c [Pa]. The Lie derivative of
// the stress is c : d, with d the rate of deformation. D is c for xx, yy and twice xy.
// It is symmetric for laws with a potential and for associated flow.
type Tangent struct {
	C             [3][3]float64
	TXX, TYY, TXY float64
}

// BulkShear returns the bulk modulus and the shear modulus [Pa].
func (m Elastic) BulkShear() (bulk, shear float64) {
	return m.Young / (3 * (1 - float64(2*m.Poisson))), m.Young / (2 * (1 + m.Poisson))
}
