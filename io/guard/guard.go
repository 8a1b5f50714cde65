// Package guard decides which files this program may replace, and which files it may
// read in a folder from somebody else. A command replaces only files of its own kind,
// which it knows by their contents. In a results folder it reads only regular files,
// not through symbolic links, not from outside, and none larger than its kind can be.
package guard

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Kind is a kind of file that a command writes.
type Kind struct {
	Name string // with its article, for messages
	is   func(head []byte) bool
}

// ReportMark is in the head of every page that fdem report writes.
const ReportMark = `<meta name="generator" content="fdem report">`

// The kinds of files that commands write to paths from the user.
var (
	Report  = Kind{"a report of fdem", func(head []byte) bool { return bytes.Contains(head, []byte(ReportMark)) }}
	PNG     = Kind{"a PNG picture", begins("\x89PNG\r\n\x1a\n")}
	SVG     = Kind{"an SVG picture", func(head []byte) bool { return bytes.Contains(head, []byte("<svg")) }}
	Mesh    = Kind{"a Gmsh mesh", begins("$MeshFormat")}
	Rock    = Kind{"a geometry of fdem mesh", begins("// made by fdem mesh")}
	Profile = Kind{"a profile of Go", isProfile}
	Manual  = Kind{"a manual page of fdem", func(head []byte) bool { return bytes.Contains(head, []byte(`.TH "FDEM`)) }}
	Fit     = Kind{"a result of fdem fit", func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"histories":`))
	}}
	Log = Kind{"a log of fdem run", func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		return len(line) > 25 && line[4] == '-' && line[10] == 'T' && bytes.HasPrefix(line[24:], []byte(" fdem "))
	}}
)

// Pictures are the kinds of the formats of pictures.
var Pictures = map[string]Kind{"png": PNG, "svg": SVG}

func begins(with string) func(head []byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(with)) }
}

// isProfile tells whether a file is a compressed profile, from the type of its
// samples near its beginning.
func isProfile(head []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	first := make([]byte, 32)
	n, _ := io.ReadFull(z, first)
	return bytes.Contains(first[:n], []byte("\x04\x08\x01\x10\x02"))
}

// RefusedError reports a file that may not be replaced or read.
type RefusedError struct{ Path, Why string }

func (e *RefusedError) Error() string { return e.Path + " " + e.Why }

func refuse(path, format string, args ...any) error {
	return &RefusedError{path, fmt.Sprintf(format, args...)}
}

// headSize is the length of a file's beginning that is checked for its kind
// [bytes].
const headSize = 1 << 12

// Replace returns an error unless a file may be written at path: if there is no file,
// an empty one, or one of the kind.
func Replace(path string, kind Kind) error {
	is, err := Is(path, kind)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !is {
		err = refuse(path, "exists and is not %s, so it is not replaced: name another file", kind.Name)
	}
	return err
}

// Is tells whether the regular file at path is of a kind. An empty file is of every
// kind. It fails if path is not a regular file, and with fs.ErrNotExist if there is
// none.
func Is(path string, kind Kind) (bool, error) {
	if err := plain(path, false); err != nil {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	return n == 0 || kind.is(head[:n]), nil
}

// plain returns an error unless there is a regular file, or the required folder, at
// the path itself.
func plain(path string, folder bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		if errors.Is(err, syscall.ENOTDIR) { // a part of the path is a file
			err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return err
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return refuse(path, "is a symbolic link: name the file to which it leads")
	case folder && !mode.IsDir():
		return refuse(path, "is not a folder")
	case !folder && mode.IsDir():
		return refuse(path, "is a folder: name a file")
	case !folder && mode&fs.ModeNamedPipe != 0:
		return refuse(path, "is a pipe, not a file")
	case !folder && mode&fs.ModeDevice != 0:
		return refuse(path, "is a device, not a file")
	case !folder && !mode.IsRegular():
		return refuse(path, "is not a regular file")
	}
	return nil
}

// Largest sizes of files of a results folder [bytes].
const (
	Text  = 64 << 20 // decks, summaries, collections of frames
	Large = 16 << 30 // meshes, frames, checkpoints, tables
)

// Path returns the path of a file in folder dir. name has slashes, as in a .pvd file.
// It fails if name leads out of the folder, if the file or a folder of its path is a
// symbolic link, if it is not a regular file, and if it has more than most bytes. The
// folder itself may be reached by a link. A missing file is fs.ErrNotExist.
func Path(dir, name string, most int64) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) || strings.ContainsRune(name, 0) {
		return "", refuse(dir, "names a file outside of it, %q", name)
	}
	path := dir
	parts := strings.Split(filepath.Clean(local), string(filepath.Separator))
	for i, part := range parts {
		path = filepath.Join(path, part)
		if err := plain(path, i < len(parts)-1); err != nil {
			var refused *RefusedError
			if errors.As(err, &refused) {
				refused.Why = strings.TrimSuffix(refused.Why, ": name the file to which it leads") + ": links in a results folder are not read"
			}
			return "", err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > most {
		return "", refuse(path, "has %d bytes: a file of its kind has at most %d", info.Size(), most)
	}
	return path, nil
}

// Read returns the contents of a file in a folder, see Path.
func Read(dir, name string, most int64) ([]byte, error) {
	path, err := Path(dir, name, most)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Folder returns an error if one of the names in dir exists and is a symbolic link or
// of the wrong type. It must be a folder if the name ends in a slash, else a regular
// file.
func Folder(dir string, names []string) error {
	for _, name := range names {
		base, folder := strings.CutSuffix(name, "/")
		err := plain(filepath.Join(dir, base), folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
