package forces

// Weight that is ramped in (a ramped gravity load). If the whole weight acted suddenly on a body at
// rest on another one, the force below it would oscillate without damping between zero and twice
// the weight for ever. A body that friction holds would slip a little whenever that force is small.
// So a load carries the weight at first. It is released smoothly, within a few times the travel
// time of sound along the stack of bodies; after that only the weight acts. If a body slides or
// tips from the start, only the part of the weight that presses on its support is ramped in. The
// part that accelerates the body acts at once, so its displacement is that of textbooks.
//
// Rigid bodies need this for another reason. In the first vibration of their contact a whole face
// carries load, while soon only a corner does. This gives them a speed that textbooks do not have.
// So the weight of rigid bodies with straight edges is ramped in also if they tip or slide. If all
// bodies of a stack are rigid, they get more than their weight for a while. Then the impulse is
// that of the whole weight from the start, and the displacement is again that of textbooks.

// Resting describes the bodies at rest on others at the start.
type Resting struct {
	Things      int     // number of connected components and rigid bodies at rest on another body
	Sliding     int     // number of connected components that slide or tip on another body
	Within      float64 // time after which their whole weight acts [s]
	Pushed      bool    // loads at the start act on them, ramped in over the same time after that
	HeldByLoads bool    // they would not rest without loads, which are ramped in with the weight
	Starting    int     // number of rigid bodies in contact that do not stay at rest
	StartWithin float64 // time after which their whole weight acts [s]
	Slow        float64 // period of the ground below if it is too long for the run, so that weight acts at once [s]; else 0
	Missing     float64 // part of the weight of resting or sliding bodies that does not act before the end of the run
}
