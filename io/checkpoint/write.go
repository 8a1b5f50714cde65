package checkpoint

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"fdem/io/background"
	"fdem/solver/system"

	"github.com/vmihailenco/msgpack/v5"
)

// Writer writes the checkpoints of a run into a folder. The run waits while
// the state is copied, not while it is written.
type Writer struct {
	Dir      string
	Compress bool // takes time and saves a third

	body   []byte
	writer background.Writer
	last   string // path of the newest complete one

	create func(dir string) (file, error) // os.CreateTemp but in tests
}

// NewWriter returns a writer to dir. last is the checkpoint from which the run
// is resumed, "" for none.
func NewWriter(dir, last string) *Writer {
	return &Writer{Dir: dir, last: last, create: func(dir string) (file, error) { return os.CreateTemp(dir, unfinished+"*") }}
}

// file is what the writer needs of an *os.File.
type file interface {
	io.Writer
	Name() string
	Sync() error
	Chmod(os.FileMode) error
	Close() error
}

// Ready tells whether the previous file is written, and returns its error. With
// wait it waits until the file is written.
func (w *Writer) Ready(wait bool) (bool, error) {
	if wait {
		return true, w.Wait()
	}
	return w.writer.Ready()
}

// Write waits for the previous file and returns its error. Then it copies the
// state and writes it in the background, as the file of step h.Step. before is
// called in another goroutine before the file appears under its name: it must
// bring the results to which the checkpoint refers to the disk.
func (w *Writer) Write(h Header, parts []system.Part, before func() error) error {
	if err := w.Wait(); err != nil {
		return err
	}
	w.body, h.Blocks = pack(w.body[:0], parts)
	return w.writer.Start(func() error { return w.write(h, before) })
}

// Wait returns when no file is being written.
func (w *Writer) Wait() error { return w.writer.Wait() }

// Last waits for what is being written and returns the path of the newest
// checkpoint that is whole, "" for none.
func (w *Writer) Last() string {
	_ = w.Wait() // the failure has been returned by Write or Ready
	return w.last
}

// write puts one file in its place and removes the ones too many.
func (w *Writer) write(h Header, before func() error) (err error) {
	header, err := msgpack.Marshal(&h)
	if err != nil {
		return err
	}
	body, compression := w.body, uint32(uncompressed)
	if w.Compress {
		compression = shuffledZstd
		if body, err = compress(body, h.Blocks); err != nil {
			return err
		}
	}
	f, err := w.create(w.Dir)
	if err != nil {
		return err
	}
	err = errors.Join(seal(f, compression, header, body), f.Chmod(0o644))
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = before()
	}
	path := filepath.Join(w.Dir, Name(h.Step))
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // as far as possible in a full or missing folder
		return err
	}
	syncFolder(w.Dir)
	w.last = path
	return prune(w.Dir)
}

// syncFolder puts a folder's names on the disk, where the system can.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // Windows and some network disks cannot
		d.Close()
	}
}

// prune removes all but the newest checkpoints.
func prune(dir string) error {
	paths, err := List(dir)
	if err != nil {
		return err
	}
	for _, path := range paths[min(Keep, len(paths)):] {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
