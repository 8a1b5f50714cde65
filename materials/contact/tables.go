package contact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"fdem/materials/contact/rough"
)

// Tables of rough spheres are dear to build, so a run leaves them beside its
// results: one file a table, named by a hash of the proportions it belongs to
// and carrying a hash of itself. A file that is damaged, or of another version
// of the program's equations, is passed over, and the table built anew. What
// is read has the bits of what was built.

// tableVersion changes with the equations and with the layout of a file.
const tableVersion = 2

// storedTable is a table's file.
type storedTable struct {
	Version int
	Spheres rough.Spheres // of unit radius and modulus
	Knots   [][6]float64  // deflection, force, slope, work, two coefficients
	Stiff   float64
	Start   float64
	Lift    float64
	Sum     string // SHA-256 of the file with this field empty
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

// tableFile is the name of the file of the table of these proportions.
func tableFile(s rough.Spheres) string {
	return "rough-" + hash(struct {
		Version int
		Spheres rough.Spheres
	}{tableVersion, s})[:16] + ".json"
}

// ReadTables makes the tables in folder known, so that laws which need them
// are there at once. A folder that is not there has none.
func ReadTables(folder string) error {
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
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if t, s, ok := parseTable(e.Name(), data); ok {
			roughTables.put(s, t)
		}
	}
	return nil
}

// parseTable returns a table read from the file of that name, and false where
// it cannot be trusted.
func parseTable(name string, data []byte) (*roughTable, rough.Spheres, bool) {
	var stored storedTable
	if json.Unmarshal(data, &stored) != nil {
		return nil, stored.Spheres, false
	}
	sum := stored.Sum
	stored.Sum = ""
	if stored.Version != tableVersion || len(stored.Knots) < 2 || name != tableFile(stored.Spheres) || sum != hash(stored) {
		return nil, stored.Spheres, false
	}
	t := &roughTable{smooth: math.Inf(1), stiff: stored.Stiff, start: stored.Start, lift: stored.Lift}
	if stored.Spheres.Extended {
		t.smooth = -float64(rough.Touch * stored.Spheres.Sigma)
	}
	for _, k := range stored.Knots {
		t.knots = append(t.knots, roughKnot{k[0], k[1], k[2], k[3], k[4], k[5]})
	}
	return t, stored.Spheres, true
}

// WriteTables leaves the tables made since the program began in folder; it
// makes the folder where there is something to leave. A file that holds its
// table already is left alone.
func WriteTables(folder string) error {
	roughTables.Lock()
	defer roughTables.Unlock()
	for s, t := range roughTables.made {
		name := tableFile(s)
		path := filepath.Join(folder, name)
		if data, err := os.ReadFile(path); err == nil {
			if _, _, ok := parseTable(name, data); ok {
				continue
			}
		}
		stored := storedTable{Version: tableVersion, Spheres: s, Stiff: t.stiff, Start: t.start, Lift: t.lift}
		for _, k := range t.knots {
			stored.Knots = append(stored.Knots, [6]float64{k.d, k.f, k.df, k.w, k.c2, k.c3})
		}
		stored.Sum = hash(stored)
		data, err := json.Marshal(stored)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		part, err := os.CreateTemp(folder, name+".*")
		if err != nil {
			return err
		}
		_, err = part.Write(data)
		if err = errors.Join(err, part.Chmod(0o644), part.Close()); err == nil {
			err = os.Rename(part.Name(), path)
		}
		if err != nil {
			os.Remove(part.Name())
			return err
		}
	}
	return nil
}
