//go:build !amd64

package contactnodes

// chooseKernel returns the generic kernel: there is no other here.
func chooseKernel(bool) kernel { return genericKernel }
