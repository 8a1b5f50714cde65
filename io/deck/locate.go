package deck

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/contactnodes/spheres"
	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver"
	contactss "fdem/solver/contacts"
	"fdem/solver/impulses"
	"fdem/solver/model"
	particless "fdem/solver/particles"
)

// ErrorAt returns an error at a key of the deck, such as "analysis.step", or at
// the whole deck if the key is not given.
func (d *Deck) ErrorAt(key, format string, args ...any) error {
	position, given := d.doc.KeysAt[key]
	if !given {
		return fmt.Errorf("%s: %s", d.doc.File, fmt.Sprintf(format, args...))
	}
	return d.doc.ErrorAt(position.Value, fmt.Sprintf(format, args...))
}

// Locate returns an error of the mesh or the solver with its position in the deck,
// and other errors unchanged.
func (d *Deck) Locate(err error) error {
	var lost *mesh.NameError
	var step *solver.StepError
	var overlap *contactss.OverlapError
	var overlapping *particless.ParticleOverlapError
	var penetration *spheres.PenetrationError
	var strained *model.InitialStressError
	var rigids *impulses.OverlapError
	var unheld *solver.UnheldError
	at := func(t *tables.Reader, key string) error { return d.doc.ErrorAt(t.At(key), err.Error()) }
	switch {
	case errors.As(err, &lost):
		return d.unknownName(lost)
	case errors.As(err, &step):
		return d.ErrorAt("analysis.step", "analysis: %v", step)
	case errors.As(err, &overlap):
		for _, c := range d.contacts {
			if overlap.Contact == c.Name || c.pairs != nil && strings.HasPrefix(overlap.Contact, c.Name+".") {
				return at(c.Reader, "contactor")
			}
		}
	case errors.As(err, &unheld):
		if of := d.named(unheld.Of); of != nil {
			return at(of, "name")
		}
	case errors.As(err, &rigids):
		for _, c := range d.contacts {
			if rigids.Contact == c.Name {
				return at(c.Reader, "contactor")
			}
		}
	case errors.As(err, &overlapping):
		if len(d.interactions) > 0 {
			return at(d.interactions[0].Reader, "between")
		}
	case errors.As(err, &strained):
		for _, p := range d.stresses {
			if p.in == nil || slices.Contains(p.in, strained.Of) {
				if p.table.Has("stress") {
					return at(p.table, "stress")
				}
				return at(p.table, "surface")
			}
		}
		if d.model.Pores != nil {
			return d.ErrorAt("pores.initial", "%v", strained)
		}
	case errors.As(err, &penetration) && penetration.Start:
		for _, p := range d.particles {
			if p.name == penetration.Of {
				return at(p.Reader, "position")
			}
		}
	}
	return err
}

// named returns the block of a body, a beam or a rigid body, nil for none.
func (d *Deck) named(name string) *tables.Reader {
	for _, b := range d.bodies {
		if b.Name == name {
			return b.Reader
		}
	}
	for _, r := range d.rigids {
		if r.Name == name {
			return r.Reader
		}
	}
	return nil
}

// unquoted returns names without their quotation marks.
func unquoted(quoted []string) (names []string) {
	for _, q := range quoted {
		if name, err := strconv.Unquote(q); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// unknownName returns an error for a body or a beam that is not in the mesh.
func (d *Deck) unknownName(e *mesh.NameError) error {
	known := unquoted(e.Known)
	of, kind := "surface", "body"
	if e.Dim == 1 {
		of, kind = "curve", "beam"
	}
	msg := fmt.Sprintf("%s %q is not in the mesh %s", kind, e.Name, e.File)
	several := d.mayBe(e.Name)
	switch near := tables.Suggestion(e.Name, known); {
	case several != "":
		msg += ": " + several
	case e.Other:
		msg += fmt.Sprintf(" as a physical %s, only as a group of another kind: named %ss are %s", of, of, quotedOr(known, "none"))
	case near != "":
		msg += near
	case len(known) == 0:
		how := "give it one in Gmsh"
		if strings.EqualFold(filepath.Ext(e.File), ".inp") {
			how = "give it one by *ELSET"
		}
		msg += fmt.Sprintf(", which has no named %s: %s", of, how)
	default:
		msg += fmt.Sprintf(", whose named %ss are %s", of, tables.Quoted(known))
	}
	for _, b := range d.bodies {
		if b.Name == e.Name && (b.Height > 0) == (e.Dim == 1) {
			return d.doc.ErrorAt(b.At("name"), msg)
		}
	}
	return errors.New(msg)
}

func quotedOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return tables.Quoted(names)
}
