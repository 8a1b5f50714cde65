// Package lock holds file locks (flock): one program at a time in a folder. The
// system releases a lock when its program ends, however that ends.
package lock

import (
	"errors"
	"fmt"
	"path/filepath"

	"fdem/io/guard"

	"github.com/gofrs/flock"
)

// Name is that of the file, in the folder, which has the lock. It is empty and
// stays when the lock goes: who removed it could take another's away.
const Name = ".lock"

// HeldError reports a folder that another program has.
type HeldError struct{ Dir string }

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is in use: another fdem still writes there; wait for it, or end it", e.Dir)
}

// Folder takes the lock of a folder that exists, and returns what gives it
// back. It fails at once, with a *HeldError, where another program or another
// part of this one has it. A file system that knows no locks lets everybody in.
func Folder(dir string) (release func(), err error) {
	if err := guard.Folder(dir, []string{Name}); err != nil {
		return nil, err
	}
	file := flock.New(filepath.Join(dir, Name))
	got, err := file.TryLock()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return func() {}, nil
	case err != nil:
		return nil, err
	case !got:
		return nil, &HeldError{dir}
	}
	return func() { _ = file.Unlock() }, nil // closing the file is all it does
}
