package lawtables

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"fdem/materials/contact"
	"fdem/materials/contact/rough"
)

// known returns the table of these proportions.
func known(t *testing.T, s rough.Spheres) contact.RoughTable {
	t.Helper()
	for _, table := range contact.RoughTables() {
		if table.Spheres == s {
			return table
		}
	}
	t.Fatal("there is no such table")
	return contact.RoughTable{}
}

// A table read back has the bits of the one built; damaged files, and files
// under a wrong name, are passed over.
func TestTablesAreKept(t *testing.T) {
	s := rough.Spheres{Radius: 1, Modulus: 1, Sigma: 5e-3, Mu: 3, Extended: true}
	law, err := contact.NewGreenwoodWilliamson(s)
	if err != nil {
		t.Fatal(err)
	}
	built := known(t, s)
	folder := filepath.Join(t.TempDir(), "tables")
	if err := errors.Join(Read(folder), Write(folder)); err != nil {
		t.Fatal(err)
	}
	called := name(s)
	path := filepath.Join(folder, called)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if read, ok := parse(called, data); !ok || !reflect.DeepEqual(read, built) {
		t.Error("another table was read than was written")
	}
	if _, ok := parse("rough-0123456789abcdef.json", data); ok {
		t.Error("a file under a wrong name was taken")
	}
	for i := range data {
		bad := slices.Clone(data)
		if bad[i] ^= 1; i%97 == 0 {
			if got, ok := parse(called, bad); ok && !slices.Equal(got.Knots, built.Knots) { // the last digit may not matter
				t.Errorf("byte %d damaged, another table taken", i)
			}
		}
	}
	if err := os.WriteFile(path, data[:100], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Read(folder), Write(folder)); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, data) {
		t.Errorf("a damaged file was not mended: %v", err)
	}
	// what is read is what laws are made of
	other := file{Version: contact.RoughTableVersion, RoughTable: built}
	other.Lift++
	other.Sum = hash(other)
	if data, err = json.Marshal(other); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, data, 0o644), Read(folder)); err != nil {
		t.Fatal(err)
	}
	defer contact.KeepRoughTable(built)
	again, err := contact.NewGreenwoodWilliamson(s)
	if err != nil {
		t.Fatal(err)
	}
	stored := func(law contact.Law) float64 {
		var p, dp, k, w [1]float64
		law.Eval(contact.Input{D: []float64{10}, Rate: []float64{0}}, contact.Output{P: p[:], DP: dp[:], K: k[:], W: w[:]})
		return w[0]
	}
	if got, want := stored(again), stored(law)+1; got != want {
		t.Errorf("the table in the folder was not taken: %g J stored, want %g", got, want)
	}
}
