package deck

import (
	"os"
)

// Read reads a deck. Mistakes are *Error with file, line and column.
func Read(path string) (*Deck, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}
