package benchmarks

import (
	"bufio"
	"os"
	"strings"

	"fdem/fem"
)

// processor names the processor where the system tells, "unknown" elsewhere.
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

// withKernel calls do while solvers are made with another kernel.
func withKernel(name string, do func() (float64, error)) (float64, error) {
	old, set := os.LookupEnv(fem.KernelVariable)
	os.Setenv(fem.KernelVariable, name)
	defer func() {
		if os.Unsetenv(fem.KernelVariable); set {
			os.Setenv(fem.KernelVariable, old)
		}
	}()
	return do()
}
