package results

import (
	"errors"
	"math"

	"fdem/solver"
)

// Sizes is the predicted output of a run: the numbers of frames and rows, and
// their approximate sizes.
type Sizes struct {
	Frames, Contacts, Rows       float64
	PerFrame, PerContact, PerRow float64 // [bytes]
	Files                        float64
	Seconds                      float64 // time for making the frames, from measured ones
}

// perNumber is about the length of a number in a row of the history [bytes].
const perNumber = 19

// quick is the time of a frame below which it is made a second time for the
// measurement [s].
const quick = 10e-3

// PredictSizes returns the sizes of a run's output in a form. clock returns the time [s].
func PredictSizes(s *solver.Solver, form Form, clock func() float64) (Sizes, error) {
	r := prepare("", "", s, nil)
	r.Shape(form)
	steps := s.Duration / s.Limit
	often := func(every float64) float64 {
		if every == 0 {
			return 2
		}
		return math.Ceil(min(s.Duration/every, steps)-1e-6) + 1
	}
	z := Sizes{Frames: often(s.FieldsEvery), Rows: often(s.HistoryEvery), PerRow: perNumber * float64(len(Columns(s)))}
	if s.Static != nil {
		z.Rows = math.Ceil(steps) + 1
	}
	var err error
	for _, of := range r.series {
		start := clock()
		n, more := of.size(r)
		took := clock() - start
		err = errors.Join(err, more)
		if took < quick && more == nil { // the first frame also allocates buffers
			start = clock()
			_, _ = of.size(r)
			took = min(took, clock()-start)
		}
		if !of.ownInterval {
			z.PerFrame += float64(n)
			z.Seconds, z.Files = z.Seconds+float64(took*z.Frames), z.Files+z.Frames
			continue
		}
		z.PerContact, z.Contacts = z.PerContact+float64(n), z.Frames
		if s.OwnContactInterval {
			z.Contacts = often(s.ContactEvery)
		}
		z.Seconds, z.Files = z.Seconds+float64(took*z.Contacts), z.Files+z.Contacts
	}
	return z, err
}

// Bytes returns the total size [bytes].
func (z Sizes) Bytes() float64 {
	return float64(z.Frames*z.PerFrame) + float64(z.Contacts*z.PerContact) + float64(z.Rows*z.PerRow)
}
