// Package elementary has the functions of calculus that laws and geometry are
// computed with, from exp to the arctangent, with the same bits on every
// machine.
//
// The standard library's have others where a processor fuses multiplication
// and addition, and on some in assembly of their own. Here every product is
// rounded before it is added, and nothing but sums, products, quotients and
// square roots is used, which IEEE 754 fixes to the bit. Errors, measured
// against 250 bits, are below 0.55 units of the last place for Exp, Exp2, Log
// and Pow, 0.75 for Log1p, Cbrt, Sin and Cos, 1.5 for Hypot and the arcs, 2 for Tan.
//
//	x = 2^(k/128) e^r        Exp: k from a table of 128, r by its series
//	x = 2^k c (1+r)          Log: log c from a table of 128
//	x^y = exp(y log x)       Pow: the product in two parts
package elementary

//go:generate go run ./generate
