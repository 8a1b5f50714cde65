//go:build !amd64

package halves

// Choose returns the plain kernel: there is no other here.
func Choose(bool) Kernel { return plain }
