// Package background writes files in a goroutine of its own while the run goes on
// (asynchronous output).
package background

// Writer runs one job at a time in another goroutine. A job must have copies of
// all data that change while it runs. The zero value is ready for use. Only one
// goroutine may use a Writer.
type Writer struct {
	result chan error // of the job at hand; nil for none
}

// Start waits for the previous job. It returns the error of that job, or begins
// do if there is none.
func (w *Writer) Start(do func() error) error {
	if err := w.Wait(); err != nil {
		return err
	}
	result := make(chan error, 1)
	w.result = result
	go func() { result <- do() }()
	return nil
}

// Wait waits for the running job and returns its error, nil if no job runs. An
// error is returned once.
func (w *Writer) Wait() error {
	if w.result == nil {
		return nil
	}
	err := <-w.result
	w.result = nil
	return err
}

// Ready tells whether the last job has ended, and returns its error.
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
