package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"fdem/io/throw"
)

// Source is what a page shows: results, or a model before its run.
type Source interface {
	Refresh() error // reads what is new
	Meta() Meta
	Blob(name string) (Blob, error)
	Scan() (more bool, err error) // includes one more frame in the ranges
}

// Handler serves the page, meta.json and the blobs under data/ to browsers on
// this machine. It answers only requests with this machine as host, so that no
// other web page can read the data. control passes on what a page asks of the run; it may be nil.
func Handler(f Source, control *Control) http.Handler {
	mux := pages(f)
	if control != nil {
		mux.Handle("POST /control/{what}", control)
	}
	if s, is := f.(*Several); is && len(s.Others) > 0 {
		runs := s.all()
		for k, r := range runs {
			path := fmt.Sprintf("/run/%d", k)
			mux.Handle(path+"/", http.StripPrefix(path, pages(r.Folder)))
		}
		mux.HandleFunc("GET /beside", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			var left error // a browser may close the connection
			defer throw.Catch(&left)
			writeBeside(w, "", runs, func(k int) string { return fmt.Sprintf("src=\"run/%d/\"", k) })
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); host != "localhost" && (err != nil || !addr.IsLoopback()) {
			http.Error(w, "only for this machine", http.StatusForbidden)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	})
}

// pages serves the page of a source with its data.
func pages(f Source) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var left error // a browser may close the connection
		defer throw.Catch(&left)
		writePage(w, f.Meta().Title, nil)
	})
	mux.HandleFunc("GET /meta.json", func(w http.ResponseWriter, r *http.Request) {
		if err := f.Refresh(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		data, err := json.Marshal(f.Meta())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		tag := fmt.Sprintf("\"%08x\"", crc32.ChecksumIEEE(data))
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(data)
	})
	mux.HandleFunc("GET /data/{name...}", func(w http.ResponseWriter, r *http.Request) {
		b, err := f.Blob(r.PathValue("name"))
		switch {
		case errors.Is(err, errNone):
			http.Error(w, "no such data", http.StatusNotFound)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write(b.Data)
		}
	})
	return mux
}

// policy lets the page run what it carries, and read this server alone. Its scripts and
// styles stand in it, since a report is the same page in one file. Only the page of runs side by side
// may frame it.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// The server's timeouts. A browser that reads slowly may take a while for a large field.
const (
	headTime  = 10 * time.Second
	readTime  = 30 * time.Second
	writeTime = 5 * time.Minute
	idleTime  = 2 * time.Minute
)

// Serve serves on l until the context ends, and keeps the ranges of the fields
// up to date. note gets the errors of frames that cannot be read.
func Serve(ctx context.Context, l net.Listener, f Source, control *Control, note func(error)) error {
	server := &http.Server{Handler: Handler(f, control), ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	go func() {
		for ctx.Err() == nil {
			more, err := f.Scan()
			if err != nil {
				note(err)
			}
			if more {
				continue
			}
			select {
			case <-ctx.Done():
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}
