package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"fdem/io/guard"
	"fdem/io/whole"

	"github.com/spf13/cobra"
)

// profiles are the files of --cpuprofile and --memprofile.
type profiles struct {
	cpu, memory string
	file        *os.File
}

// addTo gives a command the two flags.
func (p *profiles) addTo(c *cobra.Command) {
	c.Flags().StringVar(&p.cpu, "cpuprofile", "", "write a profile of processor time to this file, for go tool pprof")
	c.Flags().StringVar(&p.memory, "memprofile", "", "write a profile of memory in use at the end to this file")
	work := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := p.start(); err != nil {
			return err
		}
		err := work(c, args)
		if e := p.stop(); err == nil {
			err = e
		}
		return err
	}
}

func (p *profiles) start() (err error) {
	for flag, path := range map[string]string{"--cpuprofile": p.cpu, "--memprofile": p.memory} {
		if path == "" {
			continue
		}
		if err := guard.Replace(path, guard.Profile); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	if p.cpu == "" {
		return nil
	}
	if filepath.Clean(p.cpu) == filepath.Clean(p.memory) {
		return fmt.Errorf("--cpuprofile and --memprofile must be two files, got %s twice", p.cpu)
	}
	if p.file, err = os.Create(p.cpu); err != nil {
		return fmt.Errorf("--cpuprofile: %w", err)
	}
	return pprof.StartCPUProfile(p.file)
}

func (p *profiles) stop() error {
	if p.file != nil {
		pprof.StopCPUProfile()
		if err := p.file.Close(); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
	}
	if p.memory == "" {
		return nil
	}
	runtime.GC() // the memory in use, without freed memory
	if err := whole.Write(p.memory, pprof.WriteHeapProfile); err != nil {
		return fmt.Errorf("--memprofile: %w", err)
	}
	return nil
}
