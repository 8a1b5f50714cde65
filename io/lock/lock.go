// Package lock has file locks (flock), for one program at a time in a folder.
// The system releases a lock when its program ends, in whatever way.
package lock

import (
	"errors"
	"fmt"
	"path/filepath"

	"fdem/io/guard"

	"github.com/gofrs/flock"
)

// Name is the name of the lock file in the folder. It is empty and is not
// removed with the lock, since that could remove another program's lock.
const Name = ".lock"

// HeldError reports a folder that another program has locked.
type HeldError struct{ Dir string }

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is in use: another fdem is writing there; wait for it, or stop it", e.Dir)
}

// Folder takes the lock of an existing folder, and returns a function that
// releases it. It fails at once, with a *HeldError, if another program or
// another part of this one has the lock. On a file system without locks it
// never fails.
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
	return func() { _ = file.Unlock() }, nil // it only closes the file
}
