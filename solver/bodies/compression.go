package bodies

import (
	"fmt"

	"fdem/fem"
)

// compression is the greatest compression of triangles without a law in the frames of this run.
type compression struct {
	most     float64 // 1 less the smallest principal stretch
	time     float64 // [s]
	triangle int
	beyond   int // greatest number of triangles compressed by more than fem.SofteningCompression
}

// NoteCompression records the compression at a frame.
func (k *Continuum) NoteCompression() {
	most, at, beyond := k.Compression(k.X)
	c := &k.compressed
	if most > c.most {
		c.most, c.time, c.triangle = most, k.Time, at
	}
	c.beyond = max(c.beyond, beyond)
}

// Softened returns a line, by the present state and the frames so far, if bodies without a law were
// compressed so far that the default one is softer than Hooke's, "" otherwise. It is a warning in a
// static analysis; in an impact a few triangles are compressed so for a moment.
func (k *Continuum) Softened() string {
	k.NoteCompression()
	c := &k.compressed
	if c.most <= fem.SofteningCompression {
		return ""
	}
	l := 1 - c.most
	more := ""
	if c.beyond > 1 {
		more = fmt.Sprintf(", as one of %d beyond %.2g %%", c.beyond, 100*fem.SofteningCompression)
	}
	warning := ""
	if k.Static != nil {
		warning = "warning: "
	}
	return fmt.Sprintf("%sbody %q was compressed by up to %.2g %% (triangle %d at t = %.4g s%s), where the default elastic law is softer than Hooke's, by %.2g %% along a bar: law = \"j2\" with a yield_stress out of reach keeps Hooke's law, of true stress and logarithmic strain",
		warning, k.Mesh.Bodies[k.Mesh.BodyOf()[c.triangle]].Name, 100*c.most, k.Mesh.TriID[c.triangle], c.time, more, 100*(1-float64(0.5*(float64(3*l*l)-1))))
}
