// Package mpi is the message passing of package ranks by Open MPI or MPICH, through cgo. It is
// empty without the build tag mpi. Only the program imports it, so that all other packages are
// the same with the tag and without.
package mpi
