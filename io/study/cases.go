// Package study runs parameter studies (sweeps): a deck several times with
// different values, on all cores or on a Slurm cluster. It reads a study file,
// makes a folder with one folder per case, and collects the results in one
// table.
package study

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"fdem/io/deck"
	"fdem/io/expression"
	"fdem/io/guard"
	"fdem/io/lock"
	"fdem/io/plan"
	"fdem/io/tables"
)

// Case is one run of a study.
type Case struct {
	Number int      // from 1
	Texts  []string // the parameters' values as written, without units
	Values []float64
	dir    string
}

// String returns the case in words, "case 3 (speed = 0.5 m/s)".
func (s *Study) String(c Case) string {
	var parts []string
	for i, p := range s.Parameters {
		parts = append(parts, strings.TrimSpace(p.Name+" = "+c.Texts[i]+" "+p.Unit))
	}
	return fmt.Sprintf("case %d (%s)", c.Number, strings.Join(parts, ", "))
}

// Study is a study with its cases and its folder.
type Study struct {
	*deck.Study
	Dir      string
	Cases    []Case
	programs []*expression.Expression // of the quantities; nil for none
	names    []string                 // names for expressions: parameters that are numbers, then quantities
	numbers  []int                    // of the parameters
	base     []byte
}

// New reads a study file, lists its cases and makes every deck, so that
// mistakes are found before anything runs. It writes nothing.
func New(path, dir string) (*Study, error) {
	d, err := deck.ReadStudy(path)
	if err != nil {
		return nil, err
	}
	s := &Study{Study: d, Dir: dir}
	if s.base, err = os.ReadFile(d.Deck); err != nil {
		return nil, fmt.Errorf("%s: the base deck: %w", path, err)
	}
	base, err := deck.Parse(d.Deck, s.base)
	if err != nil {
		return nil, err
	}
	if err := s.Results(base); err != nil {
		return nil, err
	}
	if err := s.compile(); err != nil {
		return nil, err
	}
	s.listCases()
	for _, c := range s.Cases {
		text, err := s.deckOf(c)
		if err == nil {
			_, err = deck.Parse(s.Deck, text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.String(c), err)
		}
		if s.Mesh != nil {
			if _, err := s.meshOf(c); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// Stem returns a study file's name without its ending.
func Stem(path string) string {
	if stem, ok := strings.CutSuffix(path, deck.StudySuffix); ok {
		return stem
	}
	return strings.TrimSuffix(path, filepath.Ext(path))
}

// layOut lists the cases: every combination of the grids and lists, with the last
// parameter fastest, and each of them with every sample of the hypercube.
func (s *Study) listCases() {
	samples := s.hypercube()
	index := make([]int, len(s.Parameters))
	for {
		for _, sample := range samples {
			c := Case{Number: len(s.Cases) + 1}
			for i, p := range s.Parameters {
				v, text := 0.0, ""
				switch {
				case p.Sampled:
					v = sample[i]
				case len(p.Texts) > 0:
					v, text = float64(index[i]), p.Texts[index[i]]
				default:
					v = p.Numbers[index[i]]
				}
				if text == "" {
					text = strconv.FormatFloat(v, 'g', -1, 64)
				}
				c.Values, c.Texts = append(c.Values, v), append(c.Texts, text)
			}
			c.dir = filepath.Join(s.Dir, "cases", fmt.Sprintf("%04d", c.Number))
			s.Cases = append(s.Cases, c)
		}
		i := len(index) - 1
		for ; i >= 0; i-- {
			if index[i]++; !s.Parameters[i].Sampled && index[i] < s.Parameters[i].Count() {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// hypercube returns samples of a Latin hypercube: the range of every sampled
// parameter is divided into as many equal parts as there are samples, and each
// part has one sample. Without a hypercube it returns one empty sample.
func (s *Study) hypercube() [][]float64 {
	if s.Samples == 0 {
		return [][]float64{nil}
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	samples := make([][]float64, s.Samples)
	for k := range samples {
		samples[k] = make([]float64, len(s.Parameters))
	}
	for i, p := range s.Parameters {
		if !p.Sampled {
			continue
		}
		for k, stratum := range rng.Perm(s.Samples) {
			samples[k][i] = p.Between((float64(stratum) + float64(rng.Float64())) / float64(s.Samples))
		}
	}
	return samples
}

// deckOf returns the deck of a case, for the folder of the base deck.
func (s *Study) deckOf(c Case) ([]byte, error) {
	return tables.Edit(s.Deck, s.base, s.changes(c, false))
}

// changes returns the changes of a case in the deck, or in the shapes of its
// mesh.
func (s *Study) changes(c Case, shapes bool) (changes []tables.Change) {
	add := func(path string, put func(old string) (string, error)) {
		rest, inShapes := strings.CutPrefix(path, deck.ShapesPath)
		if inShapes == shapes {
			changes = append(changes, tables.Change{Path: rest, New: put})
		}
	}
	for i, p := range s.Parameters {
		for _, path := range p.Set {
			add(path, func(string) (string, error) {
				switch {
				case len(p.Texts) > 0:
					return tables.Quote(c.Texts[i]), nil
				case p.Unit != "":
					return tables.Quote(c.Texts[i] + " " + p.Unit), nil
				}
				return c.Texts[i], nil
			})
		}
		for _, path := range p.Scale {
			add(path, func(old string) (string, error) { return scaled(old, c.Values[i]) })
		}
	}
	return changes
}

// scaled multiplies a number, or the number of a text with a unit.
func scaled(old string, by float64) (string, error) {
	text, quoted := strings.Trim(old, `"'`), strings.ContainsAny(old, `"'`)
	for end := len(text); end > 0; end-- {
		v, err := strconv.ParseFloat(text[:end], 64)
		if err != nil {
			continue
		}
		number := strconv.FormatFloat(v*by, 'g', -1, 64)
		if quoted {
			return tables.Quote(number + text[end:]), nil
		}
		return number, nil
	}
	return "", fmt.Errorf("a value to scale must begin with a number, got %s", old)
}

var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*([^}]*)\}\}`)

// fill replaces {{name}} and {{name unit}} by a case's values. takes returns an
// error if a text must not be between the text before and after it.
func (s *Study) fill(c Case, text string, takes func(before, value, after string) error) (string, error) {
	var failure error
	var filled strings.Builder
	at := 0
	for _, found := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		match, name, unit := text[found[0]:found[1]], text[found[2]:found[3]], strings.TrimSpace(text[found[4]:found[5]])
		value, err := s.valueOf(c, name, unit, func(value string) error { return takes(text[:found[0]], value, text[found[1]:]) })
		if err != nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %w", match, err))
		}
		filled.WriteString(text[at:found[0]] + value)
		at = found[1]
	}
	filled.WriteString(text[at:])
	return filled.String(), failure
}

// valueOf returns a parameter's value in a unit.
func (s *Study) valueOf(c Case, name, unit string, takes func(value string) error) (string, error) {
	for i, p := range s.Parameters {
		switch {
		case p.Name != name:
		case len(p.Texts) > 0:
			return c.Texts[i], takes(c.Texts[i])
		default:
			v, err := convert(c.Values[i], p.Unit, unit)
			return strconv.FormatFloat(v, 'g', 12, 64), err
		}
	}
	return "", fmt.Errorf("the study has no parameter %q", name)
}

var bareWord = regexp.MustCompile(`^[A-Za-z0-9_.+-]*$`)

// inTemplate returns an error for a text that would be more than a value in a
// template. In double quotes it must not end them, and outside it must be a
// word.
func inTemplate(before, value, _ string) error {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	switch quoted := strings.Count(line, `"`)%2 == 1; {
	case quoted && strings.ContainsAny(value, `"\`):
		return fmt.Errorf("the text %q has a quote or a backslash, which would end the quoted text around its placeholder", value)
	case !quoted && !bareWord.MatchString(value):
		return fmt.Errorf("the text %q is not a single word of letters, digits, _ . + and -: put its placeholder in double quotes", value)
	}
	return nil
}

// inCommand returns an error for a text that would be more than a value in a
// command. As a word of its own it must not begin an option. As a part of a word it
// must be plain, since the word may be a program for another shell.
func inCommand(before, value, after string) error {
	switch whole := before == "" && after == ""; {
	case whole && strings.HasPrefix(value, "-"):
		return fmt.Errorf("the text %q would be an option of the command", value)
	case !whole && !bareWord.MatchString(value):
		return fmt.Errorf("the text %q is not a single word of letters, digits, _ . + and -: make its placeholder a word of the command by itself", value)
	}
	return nil
}

// convert converts v from one unit to another, to SI if that is empty.
func convert(v float64, from, to string) (float64, error) {
	if from == "" && to == "" {
		return v, nil
	}
	dim, err := tables.ParseDimension(orOne(from), nil)
	if err != nil {
		return 0, err
	}
	si, err := tables.ParseScale(orOne(from), dim, nil)
	if err != nil {
		return 0, err
	}
	if to == "" {
		return v * si, nil
	}
	other, err := tables.ParseScale(to, dim, nil)
	if err != nil {
		return 0, err
	}
	return v * (si / other), nil
}

func orOne(unit string) string {
	if unit == "" {
		return "1"
	}
	return unit
}

// meshOf returns the filled mesh template of a case.
func (s *Study) meshOf(c Case) (string, error) {
	template, err := os.ReadFile(s.Mesh.Template)
	if err != nil {
		return "", err
	}
	if s.Mesh.Shapes {
		text, err := tables.Edit(s.Mesh.Template, template, s.changes(c, true))
		if err == nil {
			_, _, err = plan.ParseRocks(s.Mesh.Template, text)
		}
		return string(text), err
	}
	text, err := s.fill(c, string(template), inTemplate)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.Mesh.Template, err)
	}
	for _, word := range s.Mesh.Command {
		if _, err := s.fill(c, word, inCommand); err != nil {
			return "", fmt.Errorf("%s: command: %w", s.File, err)
		}
	}
	return text, nil
}

// Sound returns an error if the study's folder has other contents than a study, or if
// a file or folder in it is a symbolic link or no file of a study, since writing
// there would overwrite other files.
func (s *Study) Sound() error {
	entries, err := os.ReadDir(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	has := func(name string) bool { _, err := os.Lstat(filepath.Join(s.Dir, name)); return err == nil }
	if empty := len(entries) == 0 || len(entries) == 1 && has(lock.Name); !empty && !(has(lock.Name) && has("study.toml")) {
		return fmt.Errorf("%s exists and is not a folder of a study: name another with -o", s.Dir)
	}
	names := []string{lock.Name, "study.toml", "results.csv", "statistics.csv", "envelope.csv", "array.sh", "slurm-job", "cases/"}
	for _, c := range s.Cases {
		at := "cases/" + filepath.Base(c.dir)
		names = append(names, at+"/", at+"/case.toml", at+"/case.json", at+"/case.log", at+"/out/")
	}
	return guard.Folder(s.Dir, names)
}

// Write makes the folders of cases that have none, with their decks. A case
// whose deck or mesh differs from that in its folder starts anew.
func (s *Study) Write() error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "study.toml"), s.Text, 0o644); err != nil {
		return err
	}
	for _, c := range s.Cases {
		text, err := s.standalone(c)
		if err != nil {
			return fmt.Errorf("%s: %w", s.String(c), err)
		}
		path := filepath.Join(c.dir, "case.toml")
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := s.Free(c); err != nil {
			return err
		}
		if err := os.RemoveAll(c.dir); err != nil {
			return err
		}
		if err := os.MkdirAll(c.dir, 0o755); err != nil {
			return err
		}
		if s.Mesh != nil {
			filled, err := s.meshOf(c)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(c.dir, filepath.Base(s.Mesh.Template)), []byte(filled), 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// standalone returns the deck of a case for its folder. Names of files are
// relative to that folder. The case, and the hash of its mesh, are in comments
// at the end.
func (s *Study) standalone(c Case) ([]byte, error) {
	text, err := s.deckOf(c)
	if err != nil {
		return nil, err
	}
	mesh, stamp := "", ""
	if s.Mesh != nil {
		filled, err := s.meshOf(c)
		if err != nil {
			return nil, err
		}
		mesh, stamp = s.Mesh.Result, fmt.Sprintf("%.8x", sha256.Sum256([]byte(filled+strings.Join(s.Mesh.Command, "\x00"))))
	} else if mesh, err = s.baseMesh(text); err != nil {
		return nil, err
	} else if mesh != "" {
		data, err := os.ReadFile(mesh)
		if err != nil {
			return nil, err
		}
		stamp = fmt.Sprintf("%.8x", sha256.Sum256(data))
		if mesh, err = within(c.dir, mesh); err != nil {
			return nil, err
		}
	}
	if mesh != "" {
		if text, err = withMesh(s.Deck, text, mesh); err != nil {
			return nil, err
		}
	}
	files, err := tables.Files(s.Deck, text)
	if err != nil {
		return nil, err
	}
	var changes []tables.Change
	for _, path := range files {
		changes = append(changes, tables.Change{Path: path, New: func(old string) (string, error) {
			name := strings.Trim(old, `"'`)
			if filepath.IsAbs(name) {
				return old, nil
			}
			rel, err := within(c.dir, filepath.Join(filepath.Dir(s.Deck), name))
			return tables.Quote(rel), err
		}})
	}
	if text, err = tables.Edit(s.Deck, text, changes); err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%s of %s; mesh %s; until %q", s.String(c), filepath.Base(s.File), stamp, s.Until)
	return append(text, "\n# "+oneLine(note)+"\n"...), nil
}

// oneLine returns a text for a comment, without line breaks, which would end
// it.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}

// baseMesh returns the path of the base deck's mesh, "" for a deck without one.
func (s *Study) baseMesh(text []byte) (string, error) {
	d, err := deck.Parse(s.Deck, text)
	if err != nil {
		return "", err
	}
	return d.MeshPath(), nil
}

// withMesh sets the deck's mesh, or adds it at the top.
func withMesh(name string, text []byte, mesh string) ([]byte, error) {
	d, err := deck.Parse(name, text)
	if err != nil {
		return nil, err
	}
	line := tables.Quote(filepath.ToSlash(mesh))
	if d.Mesh == "" {
		return append([]byte("mesh = "+line+"\n"), text...), nil
	}
	return tables.Edit(name, text, []tables.Change{{Path: "mesh", New: func(string) (string, error) { return line, nil }}})
}

// within returns a path relative to a folder.
func within(dir, path string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return to, nil
	}
	return filepath.ToSlash(rel), nil
}
