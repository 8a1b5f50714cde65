// Package throw carries errors through many small steps, of which an error
// leaves nothing: readers of files, drawings, measurements. What throws is
// called below a function that defers Catch, and that one returns the error.
package throw

// raised is an error on its way to Catch.
type raised struct{ err error }

// If throws an error that is not nil.
func If(err error) {
	if err != nil {
		panic(raised{err})
	}
}

// Must returns v where there is no error to throw.
func Must[T any](v T, err error) T {
	If(err)
	return v
}

// Catch, deferred, sets err to what was thrown. Any other panic goes on.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case raised:
		*err = p.err
	default:
		panic(p)
	}
}
