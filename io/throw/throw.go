// Package throw passes errors through many small steps whose results are
// discarded after an error: readers of files, drawings, measurements. A
// function that throws is called below a function that defers Catch and returns
// the error.
package throw

// raised is a thrown error.
type raised struct{ err error }

// If throws an error that is not nil.
func If(err error) {
	if err != nil {
		panic(raised{err})
	}
}

// Must returns v, or throws an error that is not nil.
func Must[T any](v T, err error) T {
	If(err)
	return v
}

// Catch must be deferred. It sets err to the thrown error. Any other panic
// continues.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case raised:
		*err = p.err
	default:
		panic(p)
	}
}
