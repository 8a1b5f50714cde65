package bulk

// SaintVenant is the law of St. Venant and Kirchhoff in plane strain, S = C : E, for
// triangles that share their volume with another. Other triangles of this material have
// kernels of their own, and no law.
type SaintVenant struct{ Elastic }

// Memory implements Law; the law has no memory.
func (*SaintVenant) Memory() []Value { return nil }

// Eval implements Law.
func (l *SaintVenant) Eval(in *Input, out *Output) {
	m := l.Moduli(PlaneStrain)
	for i := range in.FXX {
		fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
		exx, eyy, sxx, syy, sxy := m.second(fxx, fxy, fyx, fyy)
		pxx, pxy := float64(fxx*sxx)+float64(fxy*sxy), float64(fxx*sxy)+float64(fxy*syy)
		pyx, pyy := float64(fyx*sxx)+float64(fyy*sxy), float64(fyx*sxy)+float64(fyy*syy)
		out.TXX[i] = float64(pxx*fxx) + float64(pxy*fxy)
		out.TYY[i] = float64(pyx*fyx) + float64(pyy*fyy)
		out.TXY[i] = float64(pxx*fyx) + float64(pxy*fyy)
		out.TZZ[i] = float64(m.C12 * (exx + eyy)) // C12 is Lame's lambda
		out.Thickness[i] = 1
		out.Energy[i] = float64(0.5*(float64(sxx*exx)+float64(syy*eyy))) + float64(0.5*sxy*sxy)/m.G
	}
}

// second returns the strains in the plane and the second Piola-Kirchhoff stress [Pa].
func (m Moduli) second(fxx, fxy, fyx, fyy float64) (exx, eyy, sxx, syy, sxy float64) {
	exx = float64(0.5 * ((float64(fxx*fxx) - 1) + float64(fyx*fyx)))
	eyy = float64(0.5 * ((float64(fyy*fyy) - 1) + float64(fxy*fxy)))
	sxy = float64(m.G * (float64(fxx*fxy) + float64(fyx*fyy)))
	sxx = float64(m.C11*exx) + float64(m.C12*eyy)
	syy = float64(m.C12*exx) + float64(m.C11*eyy)
	return exx, eyy, sxx, syy, sxy
}

// Tangent implements Law: c = C pushed forward, c_ijkl = F_iI F_jJ F_kK F_lL C_IJKL.
func (l *SaintVenant) Tangent(in *Input, i int, t *Tangent) {
	m := l.Moduli(PlaneStrain)
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	_, _, sxx, syy, sxy := m.second(fxx, fxy, fyx, fyy)
	t.TXX = float64(fxx*(float64(fxx*sxx)+float64(2*fxy*sxy))) + float64(fxy*fxy*syy)
	t.TYY = float64(fyx*(float64(fyx*sxx)+float64(2*fyy*sxy))) + float64(fyy*fyy*syy)
	t.TXY = float64(fyx*(float64(fxx*sxx)+float64(fxy*sxy))) + float64(fyy*(float64(fxx*sxy)+float64(fxy*syy)))
	// Rows: strains xx, yy and twice xy of the reference configuration by those
	// of the current one.
	q := [3][3]float64{
		{float64(fxx * fxx), float64(fyx * fyx), float64(fxx * fyx)},
		{float64(fxy * fxy), float64(fyy * fyy), float64(fxy * fyy)},
		{float64(2 * fxx * fxy), float64(2 * fyx * fyy), float64(fxx*fyy) + float64(fxy*fyx)},
	}
	c := [3][3]float64{{m.C11, m.C12, 0}, {m.C12, m.C11, 0}, {0, 0, m.G}}
	for a := range 3 {
		for b := range 3 {
			sum := 0.0
			for p := range 3 {
				for r := range 3 {
					sum += float64(q[p][a] * c[p][r] * q[r][b])
				}
			}
			t.C[a][b] = sum
		}
	}
}
