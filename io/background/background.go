// Package background writes files in a goroutine of its own while the run goes on
// (asynchronous output).
package background

// Writer does one job at a time in another goroutine, each after the one
// before. Whoever starts a job hands it copies of all that changes meanwhile.
// The zero value is ready; it is for use by one goroutine.
type Writer struct {
	result chan error // of the job at hand; nil for none
}

// Start waits for the job at hand, returns its error, and else begins do.
func (w *Writer) Start(do func() error) error {
	if err := w.Wait(); err != nil {
		return err
	}
	result := make(chan error, 1)
	w.result = result
	go func() { result <- do() }()
	return nil
}

// Wait returns the error of the job at hand once that is done, nil where there
// is none. An error is returned once.
func (w *Writer) Wait() error {
	if w.result == nil {
		return nil
	}
	err := <-w.result
	w.result = nil
	return err
}

// Ready tells whether no job is at hand any more, and the error of that which
// was.
func (w *Writer) Ready() (bool, error) {
	if w.result == nil {
		return true, nil
	}
	select {
	case err := <-w.result:
		w.result = nil
		return true, err
	default:
		return false, nil
	}
}
