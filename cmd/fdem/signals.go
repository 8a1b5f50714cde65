package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// watched is what signals have requested from a run.
type watched struct {
	ctx    context.Context // done at the first Ctrl-C or SIGTERM
	wanted atomic.Bool     // a requested checkpoint, SIGUSR1
	paused atomic.Bool     // by fdem view
	cancel func()          // ends ctx
	stop   func()
}

// asked tells, once, whether a checkpoint has been requested.
func (w *watched) asked() bool { return w.wanted.Load() && w.wanted.Swap(false) }

// watch listens for signals: the first Ctrl-C or SIGTERM ends ctx, the second
// ends the program unless it is patient; SIGUSR1 asks for a checkpoint. A program
// that is tied to its parent also ends ctx when standard input ends: the parent
// holds the other end, and the system closes it however the parent ends.
func watch(log *terminal, patient, tied bool) *watched {
	ctx, cancel := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	if checkpointSignal != nil {
		signal.Notify(ch, checkpointSignal)
	}
	w := &watched{ctx: ctx, cancel: cancel, stop: func() { signal.Stop(ch); close(ch); cancel() }}
	if tied {
		go func() {
			if _, err := io.Copy(io.Discard, os.Stdin); err == nil && ctx.Err() == nil {
				log.printf("the program that started this one has ended: finishing the step and writing a checkpoint")
				cancel()
			}
		}()
	}
	go func() {
		for s := range ch {
			switch {
			case s == checkpointSignal:
				w.wanted.Store(true)
			case ctx.Err() == nil:
				log.printf("%v: finishing the step and writing a checkpoint; send it again to stop at once", s)
				cancel()
			case !patient:
				if n, isNumber := s.(syscall.Signal); isNumber {
					os.Exit(128 + int(n))
				}
				os.Exit(exitFailed)
			}
		}
	}()
	return w
}
