//go:build !amd64

package potential

// chooseKernel returns the generic kernel: there is no other here.
func chooseKernel(bool) kernel { return generic }

// vectors is what kernels in assembly know of a contact: there is none here.
type vectors struct{}
