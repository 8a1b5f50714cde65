package contactnodes

import "golang.org/x/sys/cpu"

//go:generate go run -C ../fem/asm ./edges -out ../../contactnodes/vector_amd64.s -stubs ../../contactnodes/vector_amd64.go -pkg contactnodes

// chooseKernel returns the fastest kernel of this machine, or the generic one.
func chooseKernel(generic bool) kernel {
	if generic || !cpu.X86.HasAVX2 {
		return genericKernel
	}
	return kernel{(*Contact).findFramesVector, pressPointsVector}
}

// findFramesVector is findFrames in assembly.
func (c *Contact) findFramesVector(list []frames) {
	v := c.v
	if v == nil { // of no consequence: nothing is about to touch
		v = c.x
	}
	findFramesAVX2(&list[0].own[0], len(list), &c.outline.corners[0].before, &c.x[0].X, &v[0].X, &c.query.one[0])
}

// pressPointsVector is pressPoints in assembly.
func pressPointsVector(p *pressing, s *sums) {
	i, n := p.first, int(p.end-p.first) // the assembly does not check bounds, but there are as many of each
	pressAVX2(&p.inward.X, &p.nodes[i].id, n, &p.p[i], &p.w[i], &p.stiffness[i], &p.friction[i], &p.positions[0], int(p.base), &s.Normal)
}
