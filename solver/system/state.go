package system

// Part is a part of the state with its name in a checkpoint.
type Part struct {
	Name string
	// Values points to the part: *int64 or *float64 for a number; []float64,
	// []r2.Vec or []RigidMotion if the model fixes the length; *[]float64,
	// *[]int32 or *[]bool if the length changes.
	Values any
}
