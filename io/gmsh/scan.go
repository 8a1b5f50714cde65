package gmsh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// scanner walks through a file, in text or binary.
type scanner struct {
	name   string
	data   []byte
	pos    int
	binary bool // inside a binary section's data
	order  binary.ByteOrder
}

// damage is thrown by the scanner's readers and caught in Parse. This saves an
// error check after each number.
type damage struct{ err error }

// fail stops reading with an error that names the position: the line in text, the
// byte in binary data.
func (s *scanner) fail(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if s.binary {
		panic(damage{fmt.Errorf("%s: byte %d: %s", s.name, s.pos, msg)})
	}
	line := 1 + bytes.Count(s.data[:min(s.pos, len(s.data))], []byte("\n"))
	panic(damage{fmt.Errorf("%s:%d: %s", s.name, line, msg)})
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// blank skips white space.
func (s *scanner) blank() {
	for s.pos < len(s.data) && space(s.data[s.pos]) {
		s.pos++
	}
}

// token returns the next word; nil at the end of the file.
func (s *scanner) token() []byte {
	s.blank()
	from := s.pos
	for s.pos < len(s.data) && !space(s.data[s.pos]) {
		s.pos++
	}
	return s.data[from:s.pos]
}

// line returns the rest of the line without its end.
func (s *scanner) line() []byte {
	rest := s.data[s.pos:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		s.pos = len(s.data)
		return bytes.TrimRight(rest, "\r")
	}
	s.pos += end + 1
	return bytes.TrimRight(rest[:end], "\r")
}

// word is token for a number; the end of the file is an error.
func (s *scanner) word(what string) []byte {
	t := s.token()
	switch {
	case len(t) == 0:
		s.fail("the file ends before %s", what)
	case t[0] == '$':
		s.pos -= len(t)
		s.fail("expected %s, found %.40q", what, t)
	}
	return t
}

// int reads a whole number: text, or a 32-bit integer.
func (s *scanner) int(what string) int {
	if s.binary {
		return int(int32(s.order.Uint32(s.bytes(4, what))))
	}
	return s.textInt(what)
}

// size reads a whole number: text, or an unsigned 64-bit integer.
func (s *scanner) size(what string) int {
	if s.binary {
		v := s.order.Uint64(s.bytes(8, what))
		if v > math.MaxInt64 {
			s.fail("%s is out of range: %d", what, v)
		}
		return int(v)
	}
	return s.textInt(what)
}

func (s *scanner) textInt(what string) int {
	s.blank()
	n, end := 0, s.pos
	for last := min(len(s.data), s.pos+18); end < last && '0' <= s.data[end] && s.data[end] <= '9'; end++ {
		n = 10*n + int(s.data[end]-'0')
	}
	if s.pos < end && end < len(s.data) && space(s.data[end]) { // the usual case
		s.pos = end
		return n
	}
	t := s.word(what)
	v, err := strconv.Atoi(string(t))
	if err != nil {
		s.pos -= len(t)
		s.fail("expected %s, a whole number, found %.40q", what, t)
	}
	return v
}

// float reads a finite number: text or a double.
func (s *scanner) float(what string) float64 {
	var v float64
	if s.binary {
		v = math.Float64frombits(s.order.Uint64(s.bytes(8, what)))
	} else {
		t := s.word(what)
		var err error
		if v, err = strconv.ParseFloat(string(t), 64); err != nil {
			s.pos -= len(t)
			s.fail("expected %s, a number, found %.40q", what, t)
		}
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		s.fail("%s must be a finite number, found %v", what, v)
	}
	return v
}

// bytes takes the next n bytes.
func (s *scanner) bytes(n int, what string) []byte {
	if len(s.data)-s.pos < n {
		s.fail("the file ends before %s", what)
	}
	b := s.data[s.pos : s.pos+n]
	s.pos += n
	return b
}

// count checks a number of entries in the file, of at least least bytes each,
// before memory is allocated for them.
func (s *scanner) count(n, least int, what string) int {
	if left := len(s.data) - s.pos; n < 0 || n > left/least+1 {
		s.fail("the file declares %d %s and has only %d bytes left", n, what, left)
	}
	return n
}
