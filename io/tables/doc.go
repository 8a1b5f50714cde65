// Package tables: The reader of TOML text: blocks of keys with units, checks, names nearest to a misspelt one, and edits in place.
package tables
