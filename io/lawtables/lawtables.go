// Package lawtables keeps tables of laws that are slow to build (a disk cache),
// so that the next run finds them beside its results. A table has one file,
// named by a hash of its proportions and with a hash of its contents. A file
// that is damaged, or of another version of the equations, is ignored, and the
// table is built anew. A table that is read has the bits of the built one.
package lawtables

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/guard"
	"fdem/io/whole"
	"fdem/materials/contact"
	"fdem/materials/contact/rough"
)

// file is a table's file.
type file struct {
	Version int
	contact.RoughTable
	Sum string // SHA-256 of the file with this field empty
}

// hash is the SHA-256 of v as JSON.
func hash(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers only, all of them finite
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// name returns the file name of the table of these proportions.
func name(s rough.Spheres) string {
	return "rough-" + hash(struct {
		Version int
		Spheres rough.Spheres
	}{contact.RoughTableVersion, s})[:16] + ".json"
}

// Read reads the tables in a folder, so that laws which need them are made at
// once. A missing folder is no error.
func Read(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "rough-") || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		data, err := guard.Read(folder, e.Name(), guard.Text)
		if err != nil {
			return err
		}
		if t, ok := parse(e.Name(), data); ok {
			contact.KeepRoughTable(t)
		}
	}
	return nil
}

// parse returns the table of a file of that name, and false if the file is not
// valid.
func parse(called string, data []byte) (contact.RoughTable, bool) {
	var f file
	if json.Unmarshal(data, &f) != nil {
		return f.RoughTable, false
	}
	sum := f.Sum
	f.Sum = ""
	return f.RoughTable, f.Version == contact.RoughTableVersion && len(f.Knots) >= 2 && called == name(f.Spheres) && sum == hash(f)
}

// Write writes the tables made since the program's start to a folder. It makes
// the folder if there are tables, and does not change files that already have
// their table.
func Write(folder string) error {
	for _, t := range contact.RoughTables() {
		called := name(t.Spheres)
		path := filepath.Join(folder, called)
		if data, err := guard.Read(folder, called, guard.Text); err == nil {
			if _, ok := parse(called, data); ok {
				continue
			}
		}
		f := file{Version: contact.RoughTableVersion, RoughTable: t}
		f.Sum = hash(f)
		data, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := whole.WriteBytes(path, data); err != nil {
			return err
		}
	}
	return nil
}
