// Package constraints: What holds or moves nodes from outside: supports, drives, ties, and what is free in a static analysis.
package constraints
