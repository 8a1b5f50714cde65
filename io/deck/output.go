package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/solver/model"
	"fdem/solver/quantity"
)

var outputBlock = tables.Block{Name: "output", Doc: "What is written to the results folder, and how often.", Read: ofDeck((*Deck).readOutput), Keys: []tables.Key{
	{Name: "fields", Kind: tables.List, Also: []tables.Kind{tables.Text}, Else: "all", Doc: "fields of a frame in addition to \"displacement\": any of " + tables.Quoted(fieldNames)},
	{Name: "precision", Kind: tables.Word, Words: []string{"double", "single"}, Default: `"double"`, Doc: `precision of frames: "double", or "single" for half the size, with seven digits`},
	{Name: "format", Kind: tables.Word, Words: []string{"vtk", "vtu", "vtkhdf"}, Default: `"vtk"`, Doc: `format of frames: "vtk". With "vtu" (for meshio) or "vtkhdf" (for ParaView) every frame is also written as an unstructured grid in this format`},
	{Name: "contact_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Else: "fields_every", Doc: "interval of the frames of contact nodes, if it is another; 0 writes only the first and the last"},
	{Name: "large", Kind: tables.Flag, Default: "false", Doc: "true allows more than 10,000 frames or 20 GB of results, as --large does"},
	{Name: "fields_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "duration/100", With: []tables.With{tables.InTime}, Branch: true, Doc: "interval of the frames, for fdem view and ParaView; 0 writes only the first and the last"},
	{Name: "fields_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Else: "duration/100, or an increment where that is more", With: []tables.With{tables.InStatics}, Branch: true, Doc: "interval of the frames, as in a dynamic analysis"},
	{Name: "fields_compress", Kind: tables.Flag, Default: "true", Branch: true, Doc: "true for frames compressed with zlib, of about half the size; it compresses the mesh and fields that are mostly zero"},
	{Name: "history_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "duration/1000", Branch: true,
		With: []tables.With{{Of: "type", Is: tables.InTime.Is, Say: `goes with type = "dynamic". A static analysis writes a row of history.csv for every increment: leave history_every out`}}, Doc: "interval of the rows of history.csv; 0 writes only the first and the last"},
	{Name: "checkpoint_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "duration/10", With: []tables.With{tables.InTime}, Branch: true, Doc: "interval of the checkpoints, from which fdem resume continues; 0 writes only the first and the last"},
	{Name: "checkpoint_every", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Else: "every increment", With: []tables.With{tables.InStatics}, Branch: true, Doc: "interval of the checkpoints, as in a dynamic analysis"},
	{Name: "checkpoint_compress", Kind: tables.Flag, Default: "false", Branch: true, Doc: "true for checkpoints compressed with zstd, which are a third smaller and take longer to write"},
}}

// fieldNames returns the fields that a frame can have, with their names in
// results.
var fieldNames = quantity.Names(quantity.Node, quantity.Cell)

func (d *Deck) readOutput(t *tables.Reader) {
	m := &d.model
	m.FieldsEvery, m.HistoryEvery, m.CheckpointEvery = t.Number("fields_every"), t.Number("history_every"), t.Number("checkpoint_every")
	d.usual = intervals{!t.Has("fields_every"), !t.Has("history_every"), !t.Has("checkpoint_every")}
	d.usual.set(m)
	m.OwnContactInterval = t.Has("contact_every")
	m.ContactEvery = t.Number("contact_every")
	if t.Has("fields") {
		d.Fields = []string{}
	}
	for _, v := range t.Several("fields") {
		name, ok := v.(string)
		if !ok || !slices.Contains(fieldNames, name) {
			t.Bad("fields", "fields must be names of fields of a frame, %s, got %s%s", tables.Quoted(fieldNames), tables.Describe(v), tables.Nearest(name, fieldNames))
		}
		if name == "velocity" && m.Static != nil {
			t.Bad("fields", "a static analysis has no velocity: velocity goes with type = \"dynamic\"")
		}
		d.Fields = append(d.Fields, name)
	}
	d.Single = t.Word("precision") == "single"
	d.Copy = map[string]string{"vtu": ".vtu", "vtkhdf": ".vtkhdf"}[t.Word("format")]
	d.Large, d.Compress, d.Pack = t.Flag("large"), t.Flag("checkpoint_compress"), t.Flag("fields_compress")
}

// intervals tells which intervals of the output are not given. They are
// fractions of the duration.
type intervals struct {
	fields, history, checkpoint bool
}

// set sets the intervals that are not given in the model.
func (u intervals) set(m *model.Model) {
	if u.fields {
		m.FieldsEvery = m.Duration / 100
		if m.Static != nil {
			m.FieldsEvery = max(m.FieldsEvery, m.Static.Increment)
		}
	}
	if u.history {
		m.HistoryEvery = m.Duration / 1000
	}
	if u.checkpoint {
		m.CheckpointEvery = m.Duration / 10
		if m.Static != nil {
			m.CheckpointEvery = m.Static.Smallest
		}
	}
}

// Until changes the end of a run of the deck's model [s]. Output intervals that
// are not given change in proportion.
func (d *Deck) Until(m *model.Model, end float64) {
	m.Duration = end
	d.usual.set(m)
}
