//go:build !amd64

package contactnodes

// frameKernel returns the generic kernel: there is no other here.
func frameKernel(bool) func(c *Contact, list []frames) { return (*Contact).findFrames }
