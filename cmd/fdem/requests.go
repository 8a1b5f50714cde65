package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"fdem/io/view"
	"fdem/ranks"
)

// requestEvery is the time between looks for a request of fdem view.
const requestEvery = 200 * time.Millisecond

// follow obeys requests in a results folder until the run ends: pause, continue, checkpoint, stop.
// Requests from before it are removed.
func (w *watched) follow(log *terminal, dir string) {
	request, paused := filepath.Join(dir, view.RequestName), filepath.Join(dir, view.PausedName)
	forget := func() {
		_ = os.Remove(request)
		_ = os.Remove(paused)
	}
	forget()
	ended := make(chan struct{})
	stop := w.stop
	w.stop = func() { close(ended); stop(); forget() }
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(requestEvery):
			}
			if info, err := os.Lstat(request); err != nil || !info.Mode().IsRegular() || info.Size() > 64 {
				continue
			}
			data, err := os.ReadFile(request)
			if err != nil || os.Remove(request) != nil {
				continue
			}
			w.obey(log, strings.TrimSpace(string(data)), paused)
		}
	}()
}

// obey does what a request asks for.
func (w *watched) obey(log *terminal, request, paused string) {
	switch request {
	case "checkpoint":
		w.wanted.Store(true)
	case "stop":
		log.printf("asked to stop by fdem view: finishing the step and writing a checkpoint")
		w.cancel()
	case "pause":
		if ranks.Size > 1 {
			log.printf("asked to pause by fdem view: a run on several ranks cannot")
			return
		}
		if w.paused.CompareAndSwap(false, true) {
			log.printf("paused by fdem view")
			_ = os.WriteFile(paused, nil, 0o644) // for the page alone
		}
	case "continue":
		if w.paused.CompareAndSwap(true, false) {
			log.printf("continued by fdem view")
			_ = os.Remove(paused)
		}
	}
}

// rest waits as long as the run is paused, unless a checkpoint is asked for or the run is to stop.
func (w *watched) rest() {
	for w.paused.Load() && !w.wanted.Load() && w.ctx.Err() == nil {
		time.Sleep(requestEvery / 4)
	}
}
