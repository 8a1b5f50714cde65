package view

// Model is what a page shows of a model before its run, beside the frame of its start.
type Model struct {
	Deck    string   `json:"deck"`  // its file
	Text    string   `json:"text"`  // of the deck
	Error   string   `json:"error"` // why the files cannot be read as they are now; the rest is as they were before
	Said    []Said   `json:"said"`  // what check says
	Groups  []Group  `json:"groups"`
	Symbols []Symbol `json:"symbols"`
}

// Said is a line of check, with what it speaks of.
type Said struct {
	Text    string      `json:"text"`
	Kind    string      `json:"kind,omitempty"`    // "error" or "warning"
	Line    int         `json:"line,omitempty"`    // of the deck; 0 for none
	Box     *[4]float64 `json:"box,omitempty"`     // corners, from Meta.Centre [m]
	Element int64       `json:"element,omitempty"` // its number; 0 for none
}

// Group is a group of the mesh.
type Group struct {
	Name  string  `json:"name"`
	Dim   int     `json:"dim"`
	Nodes []int32 `json:"nodes"` // indices of the frame's nodes
}

// Symbol is what is drawn over the bodies for a block of the deck. Positions are from Meta.Centre
// [m], x and y in turn.
type Symbol struct {
	Kind   string    `json:"kind"` // "fix", "drive", "load", "gravity", "spring", "tie", "joint", "contact", "absorb", "fluid", "stress", "hole", "excavate", "install", "probe", "hinge", "velocity", "temperature", "heat_flux", "convection", "pore_pressure", "inflow"
	Name   string    `json:"name"`
	Text   string    `json:"text"`             // in words
	At     []float64 `json:"at,omitempty"`     // points
	Toward []float64 `json:"toward,omitempty"` // at each of them: a direction; of a stress its two principal vectors, four numbers
	Lines  []float64 `json:"lines,omitempty"`  // four numbers each
	Line   int       `json:"line,omitempty"`   // of the deck
}

// Other is what a page needs to know of another run.
type Other struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    int      `json:"rows"`
}
