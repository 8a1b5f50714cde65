package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fdem/examples/cases"
)

// A command that writes to a place that the user gives replaces only files of its own kind.
// Otherwise it ends with exit status 2 and one line, and the old file stays.
func TestNothingIsReplaced(t *testing.T) {
	t.Parallel()
	dir := model(t, small, smallMesh)
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(in(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "run", in("small.toml"), "-q")
	write("other.toml", "mine = 1\n")
	write("data.csv", "a,b\n1,2\n")
	write("page.html", "<!doctype html><title>mine</title>")
	write("notes.svg", "mine")
	write("photo.png", "mine")
	write("archive.gz", "\x1f\x8bmine")
	write("press.csv", "deflection [um],force [N]\n0,0\n1,1\n2,2\n3,3\n4,4\n5,5\n")
	write("s.shapes.toml", "[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [1, 1]\nedge = 0.5\n")
	write("s.study.toml", "deck = \"small.toml\"\n[[parameter]]\nname = \"f\"\nset = [\"contact.1.friction\"]\nvalues = [0.1]\n[[collect]]\nname = \"k\"\nsummary = \"steps\"\n")
	write("mine/energy.png", "mine")
	write("mine/law.toml", "mine")
	write("mine/fdem-run.1", "mine")
	write("mine/results.csv", "mine")
	write("mine/cases/0001/case.toml", "mine")
	write("logs/log.txt", "mine\n")
	write("logs/history.csv", "mine\n")
	write("logs/deck.toml", "mine\n")
	for _, link := range [][2]string{{"other.toml", "link"}, {"nowhere", "dangling"}, {"small.out/report.html", "report-link"}} {
		if err := os.Symlink(in(link[0]), in(link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(in("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := map[string]string{}
	walk := func(each func(path, text string)) {
		t.Helper()
		if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				var text []byte
				text, err = os.ReadFile(path)
				each(path, string(text))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	walk(func(path, text string) { before[path] = text })
	out, toml := in("small.out"), in("small.toml")
	odd := []string{"other.toml", "small.msh", "data.csv", "mine", "link", "dangling", "pipe", "archive.gz"}
	var all [][]string
	for _, name := range append(odd, "page.html", "report-link") {
		all = append(all, []string{"report", out, "-o", in(name)})
	}
	for _, name := range odd {
		all = append(all, []string{"run", toml, "-q", "-o", in("new.out"), "--cpuprofile", in(name)},
			[]string{"run", toml, "-q", "-o", in("new.out"), "--memprofile", in(name)},
			[]string{"resume", out, "--until", "3 us", "--cpuprofile", in(name)})
		if name != "small.msh" {
			all = append(all, []string{"mesh", in("s.shapes.toml"), "--force", "-o", in(name)})
		}
		if name != "mine" {
			all = append(all, []string{"man", in(name)}, []string{"fit", in("press.csv"), "--model", "hertz", "--samples", "10", "--force", "-o", in(name)},
				[]string{"sweep", in("s.study.toml"), "-o", in(name)}, []string{"plot", out, "-o", in(name)})
		}
	}
	all = append(all,
		[]string{"report", out, "-o", "/dev/null"},
		[]string{"run", toml, "-q", "-o", in("new.out"), "--cpuprofile", "/dev/null"},
		[]string{"run", toml, "-q", "-o", in("new.out"), "--cpuprofile", in("p"), "--memprofile", in("p")},
		[]string{"plot", out, "-o", in("mine")},
		[]string{"man", in("mine")},
		[]string{"fit", in("press.csv"), "--model", "hertz", "--samples", "10", "--force", "-o", in("mine")},
		[]string{"law", "curve", "hertz", "--set", "radius=1,modulus=1e9", "--path", "0:1um", "--svg", in("notes.svg")},
		[]string{"law", "curve", "hertz", "--set", "radius=1,modulus=1e9", "--path", "0:1um", "--png", in("photo.png")},
		[]string{"sweep", in("s.study.toml"), "-o", in("mine"), "--fresh"},
		[]string{"sweep", in("s.study.toml"), "-o", out},
		[]string{"sweep", in("s.study.toml"), "-o", dir},
		[]string{"run", toml, "-q", "--force", "-o", dir},
		[]string{"run", toml, "-q", "--force", "-o", in("logs")},
		[]string{"run", toml, "-q", "--force", "-o", in("mine")},
		[]string{"run", filepath.Join(out, "deck.toml"), "-q", "--force", "-o", out, "--deck", filepath.Join(out, "deck.toml")},
		[]string{"run", filepath.Join(out, "checkpoints", "mesh.msh"), "-q", "--force", "-o", out, "--deck", filepath.Join(out, "deck.toml")},
		[]string{"resume", out, "-o", in("mine"), "--until", "3 us"},
		[]string{"new", in("mine")},
	)
	for _, args := range all {
		status, _, stderr := command(args...)
		if status != 2 && !(status == 1 && strings.Contains(stderr, "not a directory")) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit status %d: %s", strings.ReplaceAll(strings.Join(args, " "), dir+"/", ""), status, stderr)
		}
	}
	t.Logf("%d uses", len(all))
	walk(func(path, text string) {
		if was, there := before[path]; !there {
			t.Errorf("%s was written", path)
		} else if was != text {
			t.Errorf("%s was changed", path)
		}
	})
	// Files of the command's own kind are replaced.
	for range 2 {
		succeed(t, "report", out, "-o", in("mine.html"))
		succeed(t, "plot", out, "-o", in("pictures"))
		succeed(t, "man", in("man1"))
		succeed(t, "run", toml, "-q", "--force", "-o", in("again.out"), "--cpuprofile", in("cpu.prof"), "--memprofile", in("mem.prof"))
		succeed(t, "fit", in("press.csv"), "--model", "linear", "--area", "100 mm2", "--samples", "10", "--bootstrap", "0", "--force", "-o", in("press.fit"))
		succeed(t, "mesh", in("s.shapes.toml"), "--force", "-o", in("s.msh"))
	}
}

// In a results folder of unknown origin only files of the expected kinds are read: no links, no
// pipes, no files outside the folder, no endless files. Every command ends at once.
func TestStrangersResults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads a folder in some hundred ways")
	}
	dir := model(t, small, smallMesh)
	succeed(t, "run", filepath.Join(dir, "small.toml"), "-q")
	good := filepath.Join(dir, "small.out")
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("time,a\n0,1\nSECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	victim := filepath.Join(dir, "victim")
	newest := list(t, good)[0]
	names := []string{
		"history.csv", "summary.json", "fields.pvd", "contact.pvd", "deck.toml", "log.txt", ".lock", "checkpoints/mesh.msh",
		"fields/000000.vtu", "contact/000000.vtp", "checkpoints/" + filepath.Base(newest), "checkpoints/", "fields/", "contact/",
	}
	spoil := map[string]func(path string) error{
		"link to a file":   func(path string) error { return os.Symlink(secret, path) },
		"link to a folder": func(path string) error { return os.Symlink(victim, path) },
		"pipe":             func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"link to a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"very large":       func(path string) error { return firstOf(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<42)) },
		"folder":           func(path string) error { return os.Mkdir(path, 0o755) },
		"rubbish":          func(path string) error { return os.WriteFile(path, []byte("\x1b[2J\x00,SECRET"), 0o644) },
	}
	uses := 0
	for i, what := range slices.Sorted(maps.Keys(spoil)) {
		put := spoil[what]
		for j, name := range names {
			if !cases.All() && (i+j)%3 > 0 {
				continue
			}
			bad := copyTree(t, good)
			path := filepath.Join(bad, strings.TrimSuffix(name, "/"))
			if err := firstOf(os.RemoveAll(path), put(path)); err != nil {
				t.Fatal(err)
			}
			if err := firstOf(os.RemoveAll(victim), os.CopyFS(victim, os.DirFS(filepath.Join(good, "fields")))); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "r.html")); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"info", bad}, {"plot", bad, "-o", filepath.Join(dir, "p")}, {"report", bad, "-o", filepath.Join(dir, "r.html")},
				{"resume", bad, "-q", "--until", "2.2 us"}, {"resume", bad, "-q", "-o", filepath.Join(t.TempDir(), "b.out"), "--until", "2.2 us"},
			} {
				if kept := strings.HasPrefix(name, "checkpoints") || name == "log.txt" || name == ".lock"; kept && (args[0] == "plot" || args[0] == "report") {
					continue // these do not read it
				}
				uses++
				type answer struct {
					status         int
					stdout, stderr string
				}
				done := make(chan struct{})
				var got answer
				go func() {
					got.status, got.stdout, got.stderr = command(args...)
					close(done)
				}()
				select {
				case <-done:
				case <-time.After(20 * time.Second):
					t.Fatalf("%s is a %s: %s does not end", name, what, args[0])
				}
				if strings.Contains(got.stdout+got.stderr, "\x1b") || what != "rubbish" && strings.Contains(got.stdout+got.stderr, "SECRET") {
					t.Errorf("%s is a %s: %s says %q %q", name, what, args[0], got.stdout, got.stderr)
				}
				read := !strings.HasPrefix(name, "checkpoints/0") && !(len(args) > 3 && args[3] == "-o" && (name == "log.txt" || name == ".lock"))
				written := name != "fields/000000.vtu" && name != "contact/000000.vtp" && name != "summary.json" // the others are replaced
				if what == "link to a file" && got.status == 0 && args[0] == "resume" && read && written {
					t.Errorf("%s is a %s: %v goes on", name, what, args)
				}
			}
			if text, err := os.ReadFile(secret); err != nil || !bytes.HasSuffix(text, []byte("SECRET")) {
				t.Errorf("%s is a %s: the file outside is now %q, %v", name, what, text, err)
			}
			if got, want := count(t, dir, "victim", "*"), count(t, good, "fields", "*"); got != want {
				t.Errorf("%s is a %s: the folder outside has %d files of %d", name, what, got, want)
			}
			if page, err := os.ReadFile(filepath.Join(dir, "r.html")); err == nil && what != "rubbish" && bytes.Contains(page, []byte("SECRET")) {
				t.Errorf("%s is a %s: the report has the file outside", name, what)
			}
		}
	}
	t.Logf("%d uses, three times as many with -all", uses)
	// Frames by a path that leads out.
	for _, path := range []string{"../secret.vtu", "fields/../../secret.vtu", "/etc/passwd", "fields/a\x00b"} {
		bad := copyTree(t, good)
		pvd, err := os.ReadFile(filepath.Join(bad, "fields.pvd"))
		if err != nil {
			t.Fatal(err)
		}
		pvd = bytes.ReplaceAll(pvd, []byte("fields/000000.vtu"), []byte(path))
		if err := os.WriteFile(filepath.Join(bad, "fields.pvd"), pvd, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"plot", bad, "-o", filepath.Join(dir, "p")}, {"report", bad, "-o", filepath.Join(dir, "r.html")}} {
			if status, _, stderr := command(args...); status == 0 || strings.Count(stderr, "\n") != 1 {
				t.Errorf("frame %q: %s: exit status %d: %s", path, args[0], status, stderr)
			}
		}
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
