package system

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Kept is a copy of the state of a run in memory.
type Kept struct {
	values map[string]any
	Poses  []RigidMotion // of rigid bodies
}

// Keep copies parts.
func Keep(parts []Part) Kept {
	k := Kept{values: map[string]any{}}
	for _, p := range parts {
		switch v := p.Values.(type) {
		case *float64:
			k.values[p.Name] = *v
		case *int64:
			k.values[p.Name] = *v
		case []float64:
			k.values[p.Name] = slices.Clone(v)
		case *[]float64:
			k.values[p.Name] = slices.Clone(*v)
		case []r2.Vec:
			k.values[p.Name] = slices.Clone(v)
		case []RigidMotion:
			k.Poses = slices.Clone(v)
			k.values[p.Name] = k.Poses
		case *[]bool:
			k.values[p.Name] = slices.Clone(*v)
		case *[]int32:
			k.values[p.Name] = slices.Clone(*v)
		default:
			panic(fmt.Sprintf("part %q is a %T", p.Name, p.Values))
		}
	}
	return k
}

// PutBack copies the values back, except those of some names.
func (k Kept) PutBack(parts []Part, except map[string]bool) {
	for _, p := range parts {
		if except[p.Name] {
			continue
		}
		switch v := p.Values.(type) {
		case *float64:
			*v = k.values[p.Name].(float64)
		case *int64:
			*v = k.values[p.Name].(int64)
		case []float64:
			copy(v, k.values[p.Name].([]float64))
		case *[]float64:
			*v = slices.Clone(k.values[p.Name].([]float64))
		case []r2.Vec:
			copy(v, k.values[p.Name].([]r2.Vec))
		case []RigidMotion:
			copy(v, k.values[p.Name].([]RigidMotion))
		case *[]bool:
			*v = slices.Clone(k.values[p.Name].([]bool))
		case *[]int32:
			*v = slices.Clone(k.values[p.Name].([]int32))
		}
	}
}
