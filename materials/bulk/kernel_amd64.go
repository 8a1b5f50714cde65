package bulk

//go:generate go run -C ../../fem/asm ./laws -out ../../materials/bulk/vector_amd64.s -stubs ../../materials/bulk/vector_amd64.go -pkg bulk

// fours evaluates triangles from number i on in the kernel, as far as it can, and
// returns how many.
func (l *NeoHooke) fours(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * neoHookeAVX2(n, &p[0], &l.constants.one[0])
}

// trial does the first half of the evaluation of triangles from number i on, and returns how
// many of them the kernel can do.
func (l *J2) trial(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * j2TrialAVX2(n, &p[0], &l.constants.one[0])
}

// rest does the second half for the n triangles after trial, and returns how many of them the
// kernel can do.
func (l *J2) rest(in *Input, out *Output, from, n int) int {
	if n == 0 {
		return 0
	}
	p := newAddresses(in, out, from)
	return len(four{}) * j2ReturnAVX2(n/len(four{}), &p[0], &l.constants.one[0])
}

// addWorkFours adds the work of triangles from number i on in the kernel, as far as it can, and
// returns how many.
func (l *J2) addWorkFours(in *Input, out *Output, from int) int {
	n := blocksOf(in, from)
	if n == 0 {
		return 0
	}
	p := newWorkAddresses(in, out, from)
	return len(four{}) * bookJ2AVX2(n, &p[0], &l.constants.one[0])
}
