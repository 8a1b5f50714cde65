//go:build !amd64

package spheres

// newKernel returns the generic kernel, the only one on this machine.
func newKernel(bool) kernel { return generic }
