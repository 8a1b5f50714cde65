//go:build !linux

package main

import "math"

// supervised is for systems that tell of limits.
func supervised() (status int, done bool) { return 0, false }

// availableMemory is not known.
func availableMemory() (free float64, name string) { return math.Inf(1), "" }
