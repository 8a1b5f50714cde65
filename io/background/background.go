// Package background writes files in a goroutine of its own while the run goes on
// (asynchronous output).
package background

// Writer does one job at a time in another goroutine. A job must have copies of
// everything that changes while it runs. The zero value is ready; only one
// goroutine may use a Writer.
type Writer struct {
	result chan error // of the job at hand; nil for none
}

// Start waits for the job before and returns its error; where there is none it
// begins do.
func (w *Writer) Start(do func() error) error {
	if err := w.Wait(); err != nil {
		return err
	}
	result := make(chan error, 1)
	w.result = result
	go func() { result <- do() }()
	return nil
}

// Wait waits for the job that runs and returns its error, nil where no job runs.
// An error is returned once.
func (w *Writer) Wait() error {
	if w.result == nil {
		return nil
	}
	err := <-w.result
	w.result = nil
	return err
}

// Ready tells whether no job runs any more, and returns the error of the last.
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
