package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Go program that gets no memory from the system ends with a trace of its goroutines,
// which it cannot prevent. If a limit is set (ulimit -v), the program therefore runs as
// a child of itself. The parent replaces the trace by a message of one line.

// innerStderr is the environment variable of such a child with the number of the
// file that is standard error. Its file 2 goes to the parent, for the trace.
const innerStderr = "FDEM_STDERR"

// supervised runs the program as a child if memory is limited, and returns its exit
// status. If there is no limit, or this is the child, it does nothing and returns
// false.
func supervised() (status int, done bool) {
	if os.Getenv(innerStderr) != "" {
		os.Unsetenv(innerStderr)
		syscall.CloseOnExec(3)
		os.Stderr = os.NewFile(3, "/dev/stderr")
		return 0, false
	}
	limit, name := memoryLimit()
	if limit == math.MaxInt64 {
		return 0, false
	}
	debug.SetGCPercent(-1) // this process must not need more memory or threads
	runtime.GOMAXPROCS(1)
	trace, write, err := os.Pipe()
	if err != nil {
		return 0, false
	}
	c := exec.Command("/proc/self/exe", os.Args[1:]...)
	c.Args[0] = os.Args[0]
	c.Env = append(os.Environ(), innerStderr+"=3")
	c.Stdin, c.Stdout, c.Stderr, c.ExtraFiles = os.Stdin, os.Stdout, write, []*os.File{os.Stderr}
	// Ctrl-C on a terminal comes to this process, which passes it on once. The child
	// ends with the thread that started it.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2)
	if err := c.Start(); err != nil {
		signal.Reset()
		return 0, false
	}
	write.Close()
	go func() {
		for s := range signals {
			_ = c.Process.Signal(s)
		}
	}()
	said, _ := io.ReadAll(io.LimitReader(trace, 1<<20))
	_, _ = io.Copy(io.Discard, trace)
	err = c.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		status = exitDone
	case !errors.As(err, &exit):
		status = exitFailed
	case exit.ExitCode() >= 0:
		status = exit.ExitCode()
	default:
		status = 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
	}
	if noMemory(said) {
		fmt.Fprintf(os.Stderr, "fdem: out of memory: %s allows %s; fdem check prints what a run needs\n", name, amount(float64(limit)))
		return exitFailed, true
	}
	_, _ = os.Stderr.Write(said)
	return status, true
}

// noMemory tells whether a program ended because it got no memory, from its trace.
func noMemory(trace []byte) bool {
	for _, sign := range []string{"out of memory", "cannot allocate memory", "failed to create new OS thread", "failed to reserve", "cannot map pages", "newosproc", "pthread_create failed"} {
		if bytes.Contains(trace, []byte(sign)) {
			return true
		}
	}
	return false
}

// memoryLimit returns the least limit of this process's memory [bytes] and its name; the
// greatest number if there is no limit.
func memoryLimit() (limit int64, name string) {
	limit = math.MaxInt64
	for _, of := range []struct {
		resource int
		name     string
	}{{unix.RLIMIT_AS, "ulimit -v"}, {unix.RLIMIT_DATA, "ulimit -d"}} {
		var r unix.Rlimit
		if unix.Getrlimit(of.resource, &r) == nil && r.Cur < uint64(limit) {
			limit, name = int64(r.Cur), of.name
		}
	}
	return limit, name
}

// availableMemory returns the memory that this process may still take [bytes], and the reason
// of that limit: its own limit, that of its group of processes, or the machine.
func availableMemory() (free float64, name string) {
	free = math.Inf(1)
	lower := func(v float64, of string) {
		if v < free {
			free, name = v, of
		}
	}
	if limit, of := memoryLimit(); limit < math.MaxInt64 {
		if fields := strings.Fields(contents("/proc/self/statm")); len(fields) > 0 {
			pages, _ := strconv.ParseFloat(fields[0], 64)
			lower(float64(limit)-pages*float64(os.Getpagesize()), of)
		}
	}
	for _, of := range [][2]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		most, err1 := strconv.ParseFloat(strings.TrimSpace(contents(of[0])), 64)
		used, err2 := strconv.ParseFloat(strings.TrimSpace(contents(of[1])), 64)
		if err1 == nil && err2 == nil && used < most {
			lower(most, "the limit of the container") // most of the used memory is cached files, which can be freed
		}
	}
	var total, swap float64
	for line := range strings.Lines(contents("/proc/meminfo")) {
		for name, to := range map[string]*float64{"MemTotal:": &total, "SwapFree:": &swap} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				kib, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
				*to = 1024 * kib
			}
		}
	}
	if total > 0 {
		lower(total+swap, "the machine")
	}
	return free, name
}

// contents returns the contents of a small file, "" if it cannot be read.
func contents(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}
