// Command soak runs a rockfall for a great many steps and writes, a hundred
// times on the way, how much memory the process has and how well the ledger
// closes: the first must be flat, the second within its limit.
//
//	go run ./examples/rockfall/soak -rocks 1000 -steps 1000000 -o soak.csv
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fdem/examples/scenes"
	"fdem/io/checkpoint"
	"fdem/solver"
)

func main() {
	rocks := flag.Int("rocks", 1000, "rocks that fall")
	steps := flag.Int64("steps", 1_000_000, "steps to take")
	deck := flag.String("deck", "examples/rockfall/rockfall.toml", "the example's deck")
	out := flag.String("o", "soak.csv", "the figures")
	limit := flag.Duration("for", 24*time.Hour, "stop after this time, wherever the run is")
	flag.Parse()
	if err := soak(*deck, *out, *rocks, *steps, *limit); err != nil {
		log.Fatal(err)
	}
}

// record writes a row of figures of a run that began at a given moment.
func record(file *os.File, s *solver.Solver, began time.Time) error {
	residual := s.Relative(s.Energies())
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	_, err := fmt.Fprintf(file, "%d,%.6g,%.3f,%.1f,%.3g,%d,%d,%.1f\n", s.N, s.Time, 1e-6*float64(mem.HeapAlloc), 1e-6*resident(), residual,
		s.Surfaces[0].Active, s.Rebuilds(), time.Since(began).Seconds())
	return err
}

// soak runs n rocks and writes the figures.
func soak(deck, path string, n int, steps int64, limit time.Duration) error {
	m, err := scenes.Rockfall(deck, n, 1)
	if err != nil {
		return err
	}
	m.Duration = 1e9 // without an end
	m.HistoryEvery, m.FieldsEvery, m.CheckpointEvery = 0, 0, 0
	s, err := solver.New(m)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintf(file, "# %d rocks, %d triangles, %d contact nodes; %s, %s/%s\n", n, len(s.Mesh.Triangles), s.ContactNodes(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintln(file, "steps,time,heap_MB,process_MB,residual,touching,lists,seconds")
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := checkpoint.NewWriter(dir, "")
	every := max(steps/100, 100)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	began, next := time.Now(), int64(0)
	var failed error
	err = s.Run(ctx, solver.Observer{
		Row: func() error { return nil }, Frame: func() error { return nil },
		Tick: func() {
			if s.N < next {
				return
			}
			next = s.N + every
			failed = errors.Join(failed, record(file, s, began))
			if s.N >= steps || failed != nil {
				cancel()
			}
		},
		Asked: func() bool { return s.N > 0 && s.N%every == 0 },
		Checkpoint: func(bool) error {
			return w.Write(checkpoint.Header{Step: s.N, Time: s.Time}, s.Parts(), func() error { return nil })
		},
	})
	if err = errors.Join(failed, w.Wait(), err); !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.Printf("%d steps in %v; %s", s.N, time.Since(began).Round(time.Second), filepath.Clean(path))
	return failed
}

// resident returns the memory of the process as the system counts it, or as Go counts it
// if the system does not give it [bytes].
func resident() float64 {
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			if pages, err := strconv.Atoi(fields[1]); err == nil {
				return float64(pages * os.Getpagesize())
			}
		}
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return float64(mem.Sys - mem.HeapReleased)
}
