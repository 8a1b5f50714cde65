// Package deck reads the TOML deck of a simulation, and makes a solver's model
// from it and a mesh.
package deck

import (
	"fmt"
	"os"

	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Deck is a deck in SI units. Its names are not yet looked up in a mesh.
type Deck struct {
	Title    string
	Mesh     string   // file name as in the deck; "" for the deck's stem
	Compress bool     // checkpoints
	Pack     bool     // fields
	Fields   []string // names of the fields that are written in addition to displacements; nil for all
	Single   bool     // fields in single precision
	Copy     string   // extension of a copy of every frame; "" for none
	Large    bool     // results may be larger than the usual limit
	unit     float64  // unit of the mesh's coordinates [m]; 0 if the deck does not give it
	Files    []string // paths of the other files that the deck names, as read

	Idle []string // groups of the mesh that nothing uses; set with the model

	usual            intervals
	doc              *tables.Document
	model            model.Model // the part that needs no mesh
	bodies           []body      // in the order of the mesh: beams last
	rigids           []rigid
	particles        []particles
	interactions     []interaction
	taken            map[[2]string]bool // names of blocks with their kind
	contacts         []contactDef
	fractures        []fracturing
	linings          []*lining
	opens            []openJoint
	excavating       []excavating
	stages           []building
	staging          []string // names of the blocks that stages may install or remove
	stresses         []stressing
	curves           []tabled
	results          []tabled
	scheduleWarnings []string  // warnings about schedules
	courses          []course  // schedules, to be compared with the step
	kinks            []float64 // times at which the tables and ramps of the last block are not smooth [s]
	changes          []float64 // the same of all blocks
	hinges           []*tables.Reader
	clamps           []*tables.Reader
	clampStages      []stage // when each of them holds
	laws             []namedLaw
	materials        []*tables.Reader
	ambiguous        func(name string) []string          // names of the mesh's groups that a name may mean
	moduli           []moduli                            // moduli with a random distribution
	onMesh           []func(r *resolver, m *model.Model) // functions that add blocks to the model once there is a mesh
}

// CopyName is the name in results of the kth file that a deck names.
func CopyName(k int) string { return fmt.Sprintf("file-%d.csv", k) }

// ReadCopy reads the deck in a results folder. The files that it names are in
// that folder under their CopyName.
func ReadCopy(path, folder string) (*Deck, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseCopy(path, data, folder)
}

// ParseCopy is ReadCopy for a text of the given name.
func ParseCopy(name string, data []byte, folder string) (*Deck, error) {
	doc, err := tables.Open(name, data)
	if err != nil {
		return nil, err
	}
	doc.FilesIn = folder
	return parse(doc)
}

// Parse reads a deck's text. name is its file name, for messages.
func Parse(name string, data []byte) (*Deck, error) {
	return ParseCopy(name, data, "")
}

// schema returns the blocks of a deck in the order in which they are read. A
// block may look up names in the blocks before it.
var schema = []*tables.Block{
	&topBlock, &analysisBlock, &outputBlock,
	&stageBlock,
	&heatBlock, &poresBlock,
	&materialBlock, &bodyBlock, &beamBlock, &rigidBlock,
	&fixBlock, &driveBlock,
	&loadBlock,
	&springBlock,
	&boltBlock,
	&tieBlock,
	&absorbBlock, &initialStressBlock,
	&temperatureBlock, &heatFluxBlock, &convectionBlock, &porePressureBlock, &inflowBlock,
	&particleBlock,
	&lawBlock, &contactBlock, &interactionBlock,
	&fractureBlock, &jointBlock, &excavateBlock, &fluidBlock,
	&hingeBlock, &clampBlock,
	&probeBlock, &curveBlock, &resultBlock,
}

func parse(doc *tables.Document) (d *Deck, err error) {
	defer throw.Catch(&err)
	d = &Deck{doc: doc, taken: map[[2]string]bool{}}
	top := doc.Top(schema)
	d.readTop(top)
	for _, b := range schema[1:] {
		d.refuseWithImpulses(top, b)
		top.Each(d, b)
		if b == &stageBlock {
			d.planStages()
		}
	}
	top.Done()
	d.checkStages()
	if len(d.bodies)+len(d.rigids)+len(d.particles) == 0 {
		doc.Fail(len(doc.Data), "the deck has no [[body]]: name a 2-D physical group of the mesh and its material")
	}
	return d, nil
}

// ScaleMesh converts a mesh from the deck's mesh_unit to metres. A length in
// the mesh and the same length in the deck become the same number.
func (d *Deck) ScaleMesh(src *mesh.Source) {
	if d.unit == 0 || d.unit == 1 {
		return
	}
	for i, x := range src.X {
		src.X[i] = r2.Vec{X: tables.InUnit(x.X, d.unit), Y: tables.InUnit(x.Y, d.unit)}
	}
}

// ofDeck makes a reader of a deck's blocks one that the tables can hold, which know no deck.
func ofDeck(read func(d *Deck, t *tables.Reader)) func(d any, t *tables.Reader) {
	return func(d any, t *tables.Reader) { read(d.(*Deck), t) }
}
