package output

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/constraints"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// addReactions allocates the means of the supports' reactions.
func (k *Means) addReactions() {
	count := 0
	k.doReact = func(*system.Reaction) { count++ }
	k.reactions()
	k.Reacted, k.Reacting, k.Carried, k.Strongest = make([]float64, 3*count), make([]float64, 3*count), make([]float64, 3*count), make([]float64, 2*count)
	k.rowReactions()
	k.doReact = k.react
}

// reactions calls doReact with the reaction of every support at Time.
func (s *Means) reactions() {
	s.reacting = 0
	for _, k := range s.holding {
		k.Reactions(s.doReact)
	}
}

// react adds the reaction of a support to the impulses since the last row.
func (k *Means) react(r *system.Reaction) {
	i := k.reacting
	k.reacting++
	for c, f := range r.Hold.Parts() {
		k.Reacted[3*i+c] += k.between(k.Reacting[3*i+c], f)
		k.Reacting[3*i+c] = f
	}
	force, moment := r2.Add(r.Hold.Force, r.Move.Force), r.Hold.Moment+r.Move.Moment
	k.Strongest[2*i] = max(k.Strongest[2*i], elementary.Norm(force))
	k.Strongest[2*i+1] = max(k.Strongest[2*i+1], math.Abs(moment))
}

// collect returns the reactions. The function computes each of them from the reaction at Time and
// its index.
func (k *Means) collect(make func(r *system.Reaction, i int) system.Wrench) (out []constraints.Reaction) {
	was := k.doReact
	k.doReact = func(r *system.Reaction) {
		i := len(out)
		w := make(r, i)
		out = append(out, constraints.Reaction{Name: r.Name, Kind: r.Kind, Force: w.Force, Moment: w.Moment, About: r.About, PeakForce: k.Strongest[2*i], PeakMoment: k.Strongest[2*i+1]})
	}
	k.reactions()
	k.doReact = was
	return out
}

// Reactions returns the reaction of every support at Time. The forces must have been evaluated.
func (k *Means) Reactions() []constraints.Reaction {
	return k.collect(func(r *system.Reaction, _ int) system.Wrench {
		return system.Wrench{Force: r2.Add(r.Hold.Force, r.Move.Force), Moment: r.Hold.Moment + r.Move.Moment}
	})
}

// MeanReactions returns the mean reactions since the last row, whose impulses add up to the change
// of momentum. If no time has passed, it returns the present reactions.
func (k *Means) MeanReactions() []constraints.Reaction {
	since := k.Time - k.rowTime
	if !(since > 0) {
		return k.Reactions()
	}
	return k.collect(func(r *system.Reaction, i int) system.Wrench {
		var mean [3]float64
		for c, p := range r.DrivenMomentum.Parts() {
			mean[c] = (k.Reacted[3*i+c] + (p - k.Carried[3*i+c])) / since
		}
		return system.Wrench{Force: r2.Vec{X: mean[0], Y: mean[1]}, Moment: mean[2]}
	})
}

// rowReactions starts the means of the next row of results.
func (k *Means) rowReactions() {
	clear(k.Reacted)
	k.collect(func(r *system.Reaction, i int) system.Wrench {
		for c, p := range r.DrivenMomentum.Parts() {
			k.Carried[3*i+c] = p
		}
		return system.Wrench{}
	})
}
