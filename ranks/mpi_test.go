//go:build mpi

package ranks_test

import _ "fdem/ranks/mpi" // which package ranks uses
