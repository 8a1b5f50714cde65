package bodies

import (
	"slices"
)

// recount updates nodes and masses of the bodies after cracks have changed them.
func (k *Continuum) recount() {
	if !k.Stale {
		return
	}
	k.Stale = false
	for j := range k.MeshedBodies {
		if k.MeshedBodies[j].Nodes == nil { // it is excavated
			continue
		}
		i := k.MeshedBodies[j].Number
		of := &k.Mesh.Bodies[i]
		var all []int32
		for _, t := range k.Mesh.Triangles[of.First:of.End] {
			all = append(all, t[:]...)
		}
		slices.Sort(all)
		of.Nodes = slices.Clone(slices.Compact(all))
		b := newBody(k.Model, i, false)
		k.setBodyMass(&b, of)
		b.index, b.Total, b.centre0 = nil, k.MeshedBodies[j].Total, k.MeshedBodies[j].centre0
		k.MeshedBodies[j] = b
	}
	leaveMasses(k.Mesh, k.MeshedBodies)
}
