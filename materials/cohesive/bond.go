package cohesive

import "math"

// Bonded joints: a joint with springs and a bond, such as a healed or cemented joint. The
// springs carry tension and shear up to the strength. Then the strength falls by damage while
// friction takes over (G. Alfano, E. Sacco, Int. J. Numer. Meth. Engng 68 (2006) 542). With
// the gap c of Springs, the integrity g = 1 - d, and the slips D_s and s from the state
// without shear,
//
//	p   = k_n <-c> - g k_n <c + h - h_0>         pressure; below 0 tension
//	T_s = k_s (D_s - s) + g k_s s,   k_s |D_s - s| <= mu p
//	h(s) = tan(psi) min((1-g) |s|, s_max)
//
// The first part of T_s is friction, the second is the bond's traction. Without damage their
// sum is k_s D_s, for any slip that friction has released. A bond that breaks in shear is at
// the limit of friction, so the joint carries a shear of c S + mu p, with S the softening
// curve. This is the strength of Mohr and Coulomb at first, and friction at the end. A bond
// begins to break where
//
//	(k_n <c + h - h_0>/f)^2 + (k_s s/c)^2 = 1
//
// h_0 is the rise at which the bond was last under pressure: slip under tension does not
// stretch the bond across. With Y = (k_n <c + h - h_0>^2 + k_s s^2)/2, its value Y_0 where the
// bond begins to break, lambda = sqrt(Y/Y_0) at its greatest so far, and G the fracture energy
// of the mixity k_s s^2/(2 Y) there,
//
//	g = S(x)/lambda,   x = (lambda - 1) 2 Y_0/(G - Y_0)
//
// So tractions on a straight path follow S, and all paths dissipate G. Y_0 is below G if the
// springs are stiff enough. If they have the stiffness of closed cracks, on edges as long as
// the cohesive zone, Y_0 may be above G. Then the joint dissipates Y_0, at once.

// Indices in the memory of a point.
const (
	Kappa            = iota // the greatest opening [m]; for a bond the greatest x over its End
	Slid                    // slip that friction has released [m]
	FrictionTraction        // traction of friction [Pa]
	Integrity               // 1 less damage
	Lost                    // energy dissipated by fracture [J/m2]
	// Values of Springs, in place of those of BalanceContact.
	Pressed     = Offset             // contact pressure at the last call of Advance [Pa]
	PressedRise = UnbalancedFriction // rise h_0 from which a bond's opening counts [m]
	Sheared     = Compression        // mixity at which the bond began to break
)

// Broken returns the kappa at which a point has lost its bond.
func (l *Springs) Broken() float64 {
	if l.Bond == nil {
		return 0
	}
	return 1
}

// onsetEnergy returns the energy Y_0 of springs at which a bond begins to break at a mixity [J/m2].
func (l *Law) onsetEnergy(mixity, normal, shear float64) float64 {
	f, c := l.Tension, l.Cohesion
	return 0.5 / (float64((1-mixity)*normal/(f*f)) + float64(mixity*shear/(c*c)))
}

// minStiffness returns the least stiffness [Pa/m] at which springs store less than the fracture
// energy before the bond breaks, at a mixity of 0 or 1. It returns 0 if the given stiffnesses
// suffice.
func (l *Law) minStiffness(mixity, normal, shear float64) float64 {
	before, energy := l.onsetEnergy(mixity, normal, shear), l.Energy.Energy(mixity)
	if before <= energy {
		return 0
	}
	return normal * before / energy
}

// growDamage updates the damage of a bond for the gap c without dilation and the slip that
// friction has released.
func (l *Springs) growDamage(p *Point, mem *[Memories]float64, c float64) {
	s, open := mem[Slid]-p.start(), max(0, c-mem[PressedRise])
	across, along := float64(p.Stiffness*open), float64(p.Onset*s)
	if mem[Kappa] == 0 {
		if l.Bond.Used(across, along) <= 1 {
			return
		}
		mem[Sheared] = float64(along*s) / (float64(across*open) + float64(along*s))
	}
	before, energy := l.Bond.onsetEnergy(mem[Sheared], p.Stiffness, p.Onset), l.Bond.Energy.Energy(mem[Sheared])
	lambda := math.Sqrt(0.5 * (float64(across*open) + float64(along*s)) / before)
	end, soft := l.Bond.Curve.End(), energy-before
	x := end
	if work := float64((lambda - 1) * 2 * before); soft > 0 {
		x = min(end, work/soft)
	}
	if !(x > float64(mem[Kappa]*end)) {
		return
	}
	mem[Kappa] = x / end
	if x == end {
		mem[Integrity], mem[Lost] = 0, max(energy, before)
		return
	}
	mem[Integrity] = x
	l.Bond.Curve.Eval(mem[Integrity:Integrity+1], mem[Integrity:Integrity+1], nil, mem[Lost:Lost+1])
	curve := mem[Integrity]
	mem[Integrity] = curve / lambda
	mem[Lost] = float64(before*(1-curve)) + float64(soft*(mem[Lost]+float64(0.5*x*curve)))
}
