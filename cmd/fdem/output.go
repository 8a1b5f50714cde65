package main

import (
	"fmt"
	"io"
	"math"

	"fdem/benchmarks"
	"fdem/io/results"
	"fdem/solver"
)

// The greatest output of a run without --large.
const (
	maxFrames = 10_000
	maxBytes  = 20e9
)

// outputSizes predicts the output of a model's run, compressed as in the deck, or
// uncompressed, which takes less time to find.
func outputSizes(in *input, s *solver.Solver, pack bool) (results.Sizes, error) {
	f := form(in)
	f.Plain = f.Plain || !pack
	return results.PredictSizes(s, f, benchmarks.ProcessorTime)
}

// form returns the form of frames in a deck.
func form(in *input) results.Form {
	d := in.deck
	return results.Form{Fields: d.Fields, Single: d.Single, Plain: !d.Pack, Copy: d.Copy}
}

// affordable returns an error for a run that would write too many frames or
// bytes, unless the user allows it.
func affordable(in *input, s *solver.Solver, large bool) error {
	if large || in.deck.Large {
		return nil
	}
	modest := func(z results.Sizes) bool { return max(z.Frames, z.Contacts) <= maxFrames && z.Bytes() <= maxBytes }
	z, err := outputSizes(in, s, false)
	if err != nil || modest(z) {
		return err
	}
	if z, err = outputSizes(in, s, true); err != nil || modest(z) {
		return err
	}
	key, every, often := "fields_every", s.FieldsEvery, z.Frames
	for _, other := range []struct {
		key          string
		every, often float64
		heaviest     bool
	}{
		{"contact_every", s.ContactEvery, z.Contacts, s.OwnContactInterval && z.Contacts*z.PerContact > z.Frames*z.PerFrame},
		{"history_every", s.HistoryEvery, z.Rows, z.Rows*z.PerRow > z.Frames*z.PerFrame+z.Contacts*z.PerContact},
	} {
		if other.heaviest {
			key, every, often = other.key, other.every, other.often
		}
	}
	allowed := min(maxFrames, often*maxBytes/z.Bytes())
	return fmt.Errorf("%s: the run would write %.4g frames and %.4g rows of history, %s, and the limits are %d frames and %s: give [output] a longer %s (it is %.3g s, at least %.2g s is enough) or fewer fields, or allow it with --large or large = true in [output]",
		in.deckPath, max(z.Frames, z.Contacts), z.Rows, amount(z.Bytes()), maxFrames, amount(maxBytes), key, every, 1.05*s.Duration/allowed)
}

// writeSizes prints the predicted output of a run.
func writeSizes(out io.Writer, in *input, s *solver.Solver, z *results.Sizes) error {
	fmt.Fprintf(out, "output: %.0f frames of %s", z.Frames, amount(z.PerFrame))
	if z.Contacts > 0 {
		fmt.Fprintf(out, ", %.0f of contact nodes of %s", z.Contacts, amount(z.PerContact))
	}
	fmt.Fprintf(out, ", %.0f rows of history; together about %s in addition to checkpoints\n", z.Rows, amount(z.Bytes()))
	if err := affordable(in, s, false); err != nil {
		fmt.Fprintf(out, "warning: %v\n", err)
	}
	return nil
}

// amount returns a number of bytes as text.
func amount(bytes float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if bytes >= 0.9995*u.size {
			v := bytes / u.size
			if v >= 99.95 {
				return fmt.Sprintf("%.0f %s", v, u.name)
			}
			return fmt.Sprintf("%.*f %s", 1-int(math.Log10(v)), v, u.name)
		}
	}
	return fmt.Sprintf("%.0f bytes", bytes)
}
