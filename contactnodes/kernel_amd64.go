package contactnodes

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../frames_amd64.s -stubs ../frames_amd64.go -pkg contactnodes

// frameKernel returns the fastest kernel of this machine, or the generic one.
func frameKernel(generic bool) func(c *Contact, list []frames) {
	if generic || !cpu.X86.HasAVX2 {
		return (*Contact).findFrames
	}
	return (*Contact).findFramesVector
}

// findFramesVector is findFrames in assembly.
func (c *Contact) findFramesVector(list []frames) {
	v := c.v
	if v == nil { // of no consequence: nothing is about to touch
		v = c.x
	}
	findFramesAVX2(&list[0].own[0], len(list), &c.outline.corners[0].before, &c.x[0].X, &v[0].X, &c.sight.one[0])
}
