//go:build !amd64

package fracture

// chooseKernel returns the kernel in Go: there is no other here.
func chooseKernel(string) kernel { return generic }
