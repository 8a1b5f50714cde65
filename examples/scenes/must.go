package scenes

// failure is an error on its way to Catch.
type failure struct{ err error }

// Must returns v where there is no error. It is for examples and measurements,
// of which an error leaves nothing: that ends all up to the function that
// defers Catch.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Check is Must for what returns an error only.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Catch, deferred, makes an error of what Must and Check have ended.
func Catch(err *error) {
	switch f := recover().(type) {
	case nil:
	case failure:
		*err = f.err
	default:
		panic(f)
	}
}
