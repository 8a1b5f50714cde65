package benchmarks

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"fdem/fem"
	"fdem/io/throw"
)

// processor returns the name of the processor, "unknown" if the system does not give it.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if key, value, ok := strings.Cut(in.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// ticks returns the processor time that the machine has used since its start, and the
// required time that the host of a virtual machine gave to others, in the system's ticks;
// 0 if the system does not give them.
func ticks() (used, stolen float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	return parseTicks(string(text))
}

// parseTicks reads the first line of Linux's /proc/stat: "cpu", then ticks of
// user, nice, system, idle, waiting, interrupts (2), stolen.
func parseTicks(stat string) (used, stolen float64) {
	line, _, _ := strings.Cut(stat, "\n")
	var t [8]float64
	if n, _ := fmt.Sscanf(line, "cpu %g %g %g %g %g %g %g %g", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]); n != len(t) {
		return 0, 0
	}
	return t[0] + t[1] + t[2] + t[5] + t[6], t[7]
}

// withKernel calls do with another kernel for new solvers.
func withKernel(name string, do func() float64) float64 {
	old, set := os.LookupEnv(fem.KernelVariable)
	throw.If(os.Setenv(fem.KernelVariable, name))
	defer func() {
		if set {
			throw.If(os.Setenv(fem.KernelVariable, old))
		} else {
			throw.If(os.Unsetenv(fem.KernelVariable))
		}
	}()
	return do()
}
