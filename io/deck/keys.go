package deck

import (
	"slices"

	"fdem/io/tables"
)

// Reference returns every block that a deck can have. Blocks within a block
// come after it.
func Reference() []tables.Block {
	var out []tables.Block
	for _, b := range schema {
		out = append(out, *b)
		for _, k := range b.Keys {
			if k.Sub != nil {
				out = append(out, *k.Sub)
			}
		}
	}
	return out
}

// Changeable returns the keys that Set may change. For a block that may be
// repeated the name is in between: contact.NAME.friction.
func Changeable() []string {
	var out []string
	for _, b := range schema {
		for _, k := range b.Keys {
			path := b.Name + "." + k.Name
			if b.Many {
				path = b.Name + ".NAME." + k.Name
			}
			if k.Branch && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// JSONSchema returns the JSON Schema of decks, see tables.JSONSchema.
func JSONSchema() map[string]any { return tables.JSONSchema("deck of fdem", schema) }

// StudySchema returns the JSON Schema of studies.
func StudySchema() map[string]any { return tables.JSONSchema("study of fdem", studySchema) }
