//go:build !unix

package main

import "os"

// checkpointSignal does not exist here.
var checkpointSignal os.Signal
