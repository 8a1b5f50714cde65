//go:build !amd64

package spheres

// newKernel returns the generic kernel: there is no other here.
func newKernel(bool) kernel { return generic }
