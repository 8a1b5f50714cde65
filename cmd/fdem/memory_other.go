//go:build !linux

package main

import "math"

// supervised does nothing on systems without known limits.
func supervised() (status int, done bool) { return 0, false }

// availableMemory is unknown on this system.
func availableMemory() (free float64, name string) { return math.Inf(1), "" }
