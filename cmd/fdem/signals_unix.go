//go:build unix

package main

import (
	"os"
	"syscall"
)

// checkpointSignal asks a run for a checkpoint.
var checkpointSignal os.Signal = syscall.SIGUSR1
