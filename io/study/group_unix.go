//go:build unix

package study

import (
	"os/exec"
	"syscall"
)

// alone puts a program into a process group of its own. Otherwise a Ctrl-C on
// the terminal would reach it twice, and at a second signal it exits without a
// checkpoint.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
