package model

// Expression is a quantity that a deck gives as an expression of time.
type Expression struct {
	Of string // block and key, with the expression
	At Schedule
}
