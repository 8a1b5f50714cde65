//go:build !amd64

package potential

// chooseKernel returns the generic kernel: there is no other here.
func chooseKernel(bool) kernel { return generic }

// vectors is the data of assembly kernels: there are none here.
type vectors struct{}
