package python

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fdem/examples/cases"
)

// made returns the wheel of a platform with a program.
func made(t *testing.T, platform string, program []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Wheel(&b, platform, "1.0.0", program, []byte("licence")); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A wheel has the same bytes twice, the program of its platform, and a record of each file.
func TestWheel(t *testing.T) {
	for platform := range tags {
		wheel := made(t, platform, []byte("program"))
		if !bytes.Equal(wheel, made(t, platform, []byte("program"))) {
			t.Errorf("%s: other bytes the second time", platform)
		}
		z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]*zip.File{}
		for _, f := range z.File {
			names[f.Name] = f
		}
		program := "fdem/bin/fdem"
		if strings.HasPrefix(platform, "windows") {
			program += ".exe"
		}
		for _, name := range []string{program, "fdem/__init__.py", "fdem/py.typed", "fdem-1.0.0.dist-info/METADATA", "fdem-1.0.0.dist-info/WHEEL"} {
			if names[name] == nil {
				t.Errorf("%s: no %s", platform, name)
			}
		}
		if f := names[program]; f != nil && f.Mode()&0o111 == 0 {
			t.Errorf("%s: the program is not executable", platform)
		}
		record, err := z.Open("fdem-1.0.0.dist-info/RECORD")
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(record); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(text.String(), "\n"); got != len(z.File) {
			t.Errorf("%s: the record has %d lines of %d files", platform, got, len(z.File))
		}
	}
	if _, err := Name("plan9/386", "1.0.0"); err == nil {
		t.Error("there is a wheel for plan9")
	}
}

// The package as it is installed, a wheel unpacked into an empty folder, passes its own tests.
func TestPackage(t *testing.T) {
	if !cases.All() {
		t.Skip("takes seconds: go test ./python -all")
	}
	python := "/usr/bin/python3" // where Debian's numpy is
	if _, err := os.Stat(python); err != nil {
		if python, err = exec.LookPath("python3"); err != nil {
			t.Skip("no python3: not tried")
		}
	}
	if exec.Command(python, "-c", "import tomllib").Run() != nil {
		t.Skip("Python is older than 3.11: not tried")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fdem")
	build := exec.Command("go", "build", "-o", program, "../cmd/fdem")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	wheel := filepath.Join(dir, "fdem.zip")
	if err := os.WriteFile(wheel, made(t, runtime.GOOS+"/"+runtime.GOARCH, data), 0o644); err != nil {
		t.Fatal(err)
	}
	site, work := filepath.Join(dir, "site"), filepath.Join(dir, "work")
	unpack := "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"
	if out, err := exec.Command(python, "-c", unpack, wheel, site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tests, err := filepath.Abs("package_test.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(python, tests, site, filepath.Join(filepath.Dir(tests), "example.ipynb"))
	run.Dir = work
	out, err := run.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
