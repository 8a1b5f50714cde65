//go:build unix

package study

import (
	"os/exec"
	"syscall"
)

// alone puts a program into a process group of its own: a Ctrl-C on the
// terminal must not reach it twice, for at a second signal it leaves without a
// checkpoint.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
