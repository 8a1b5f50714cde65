// Package elementary is a small mathematical library (libm) with reproducible
// results: exp, log, powers, angles and vectors in the plane have the same bits on
// every machine.
//
// The functions of the standard library have not: some processors fuse
// multiplication and addition (FMA), and for some there is assembly. Here every
// product is rounded before it is added, and only sums, products, quotients and
// square roots are used, whose bits IEEE 754 prescribes. Errors, measured
// against 250 bits, are below 0.55 units of the last place for Exp, Exp2, Log
// and Pow, 0.75 for Log1p, Cbrt, Sin and Cos, 1.5 for Hypot and the arcs, 2 for Tan.
//
//	x = 2^(k/128) e^r        Exp: k from a table of 128, r by its series
//	x = 2^k c (1+r)          Log: log c from a table of 128
//	x^y = exp(y log x)       Pow: the product in two parts
package elementary

//go:generate go run ./generate
