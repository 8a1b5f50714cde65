//go:build mpi

package main

import _ "fdem/ranks/mpi" // which package ranks uses
