package bulk

//go:generate go run -C ../../fem/asm ./laws -out ../../materials/bulk/vector_amd64.s -stubs ../../materials/bulk/vector_amd64.go -pkg bulk

// fours does the triangles from one on that the kernel can do, and returns how many.
func (l *NeoHooke) fours(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * neoHookeAVX2(n, &p[0], &l.constants.one[0])
}

// trial does the first half of triangles from one on, and returns how many of them the kernel
// can do.
func (l *J2) trial(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * j2TrialAVX2(n, &p[0], &l.constants.one[0])
}

// rest does the second half of n triangles from one on that trial has done, and returns how many
// of them the kernel can do.
func (l *J2) rest(in *Input, out *Output, from, n int) int {
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * j2ReturnAVX2(n/len(four{}), &p[0], &l.constants.one[0])
}

// addWorkFours adds the work of the triangles from one on that the kernel can do, and returns how many.
func (l *J2) addWorkFours(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newWorkAddresses(in, out, from)
	return len(four{}) * bookJ2AVX2(n, &p[0], &l.constants.one[0])
}
