package view

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"path/filepath"
	"slices"

	"fdem/io/whole"
)

// Files of a results folder by which a run that goes on is asked to do something, and by which it
// tells that it has paused.
const (
	RequestName = "request"
	PausedName  = "paused"
)

// Requests are the words that a request may be.
var Requests = []string{"pause", "continue", "checkpoint", "stop"}

// Control passes on what a page asks of the run that fills a folder: POST with a word of Requests,
// and the token that stands in the address of the page.
type Control struct {
	Dir   string
	Token string
}

// NewControl returns the control of a folder, with a random token.
func NewControl(dir string) *Control {
	var token [16]byte
	_, _ = rand.Read(token[:]) // never fails
	return &Control{dir, hex.EncodeToString(token[:])}
}

// ServeHTTP answers a request of the page.
func (c *Control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	what := r.PathValue("what")
	switch {
	case subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Fdem-Token")), []byte(c.Token)) != 1:
		http.Error(w, "the token in the address of the page is missing or wrong", http.StatusForbidden)
	case !slices.Contains(Requests, what):
		http.Error(w, "no such request", http.StatusNotFound)
	default:
		if err := whole.WriteBytes(filepath.Join(c.Dir, RequestName), []byte(what+"\n")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}
