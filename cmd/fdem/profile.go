package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// profiles are the files that --cpuprofile and --memprofile name.
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
	if p.cpu == "" {
		return nil
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
	f, err := os.Create(p.memory)
	if err != nil {
		return fmt.Errorf("--memprofile: %w", err)
	}
	defer f.Close()
	runtime.GC() // what is in use, not what was
	if err := pprof.WriteHeapProfile(f); err != nil {
		return fmt.Errorf("--memprofile: %w", err)
	}
	return nil
}
