// Package plan: Shapes and rock from which a mesh is made: the reader of *.shapes.toml.
package plan
