package view

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// A request needs the token, and is one of four.
func TestControl(t *testing.T) {
	c := NewControl(t.TempDir())
	h := Handler(&Folder{dir: c.Dir}, c)
	for _, k := range []struct {
		method, host, path, token string
		want                      int
	}{
		{"POST", "127.0.0.1", "/control/stop", "", 403},
		{"POST", "127.0.0.1", "/control/stop", "0123", 403},
		{"POST", "127.0.0.1", "/control/remove", c.Token, 404},
		{"GET", "127.0.0.1", "/control/stop", c.Token, 405},
		{"POST", "example.org", "/control/stop", c.Token, 403},
		{"POST", "127.0.0.1", "/control/stop", c.Token, 204},
	} {
		if _, err := os.Stat(filepath.Join(c.Dir, RequestName)); err == nil {
			t.Fatalf("there is a request before %+v", k)
		}
		r, w := httptest.NewRequest(k.method, "http://"+k.host+k.path, nil), httptest.NewRecorder()
		r.Header.Set("X-Fdem-Token", k.token)
		if h.ServeHTTP(w, r); w.Code != k.want {
			t.Errorf("%+v is answered by %d", k, w.Code)
		}
	}
	if data, err := os.ReadFile(filepath.Join(c.Dir, RequestName)); err != nil || string(data) != "stop\n" {
		t.Errorf("the request is %q, %v", data, err)
	}
}
