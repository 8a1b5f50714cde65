// Package python makes wheels of the Python package fdem: zip archives, with the program of one
// platform inside, that pip installs without building anything.
package python

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed fdem/*.py fdem/py.typed README.md
var sources embed.FS

// tags are the platforms of wheels by Go's names (PEP 425, PEP 600). The program is static, so
// that one for Linux runs with any C library; Go 1.26 needs macOS 12.
var tags = map[string]string{
	"linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64": "macosx_12_0_x86_64", "darwin/arm64": "macosx_12_0_arm64", "windows/amd64": "win_amd64", "windows/arm64": "win_arm64",
}

// Name returns the file name of the wheel for a platform, "linux/amd64". It fails for one that
// has no tag.
func Name(platform, version string) (string, error) {
	tag, ok := tags[platform]
	if !ok {
		return "", fmt.Errorf("there is no wheel for %s", platform)
	}
	return fmt.Sprintf("fdem-%s-py3-none-%s.whl", version, tag), nil
}

// Wheel writes the wheel for a platform with its program. The same program gives the same bytes.
// licence is the text of the licence.
func Wheel(w io.Writer, platform, version string, program, licence []byte) error {
	if _, err := Name(platform, version); err != nil {
		return err
	}
	files, err := wheelFiles(platform, version, program, licence)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(f.mode)
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// file is a file of a wheel.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// wheelFiles returns the files of a wheel, the record of them last.
func wheelFiles(platform, version string, program, licence []byte) ([]file, error) {
	var files []file
	err := fs.WalkDir(sources, "fdem", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := sources.ReadFile(name)
		files = append(files, file{name, bytes.ReplaceAll(data, []byte("@VERSION@"), []byte(version)), 0o644})
		return err
	})
	if err != nil {
		return nil, err
	}
	name := "fdem/bin/fdem"
	if strings.HasPrefix(platform, "windows/") {
		name += ".exe"
	}
	files = append(files, file{name, program, 0o755})
	readme, err := sources.ReadFile("README.md")
	if err != nil {
		return nil, err
	}
	info := fmt.Sprintf("fdem-%s.dist-info", version)
	meta := fmt.Sprintf(`Metadata-Version: 2.1
Name: fdem
Version: %s
Summary: Collisions, contact and fracture of bodies in the plane: a combined finite-discrete element code
License: Apache-2.0
Requires-Python: >=3.11
Provides-Extra: all
Requires-Dist: numpy; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: meshio; extra == "all"
Description-Content-Type: text/markdown

%s`, version, readme)
	wheel := "Wheel-Version: 1.0\nGenerator: fdem\nRoot-Is-Purelib: false\n"
	for _, tag := range strings.Split(tags[platform], ".") {
		wheel += "Tag: py3-none-" + tag + "\n"
	}
	for _, f := range []file{
		{"METADATA", []byte(meta), 0o644}, {"WHEEL", []byte(wheel), 0o644}, {"licenses/LICENSE", licence, 0o644},
		{"entry_points.txt", []byte("[console_scripts]\nfdem = fdem.__main__:main\n"), 0o644},
	} {
		files = append(files, file{path.Join(info, f.name), f.data, f.mode})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%s/RECORD,,\n", info)
	return append(files, file{info + "/RECORD", []byte(record.String()), 0o644}), nil
}
