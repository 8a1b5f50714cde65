package lock_test

import (
	"errors"
	"fmt"
	"os"

	"fdem/io/lock"
)

// One program at a time in a folder.
func ExampleFolder() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	release, err := lock.Folder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = lock.Folder(dir)
	var held *lock.HeldError
	fmt.Println(errors.As(err, &held))
	release()
	// Output:
	// true
}
