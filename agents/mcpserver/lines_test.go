package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read takes all messages of a text; one that was refused is "too long".
func read(t *testing.T, r io.Reader) (messages []string) {
	t.Helper()
	in := newLines(r)
	for {
		message, err := in.next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return messages
		case errors.Is(err, errTooLong):
			messages = append(messages, "too long")
		case err != nil:
			t.Fatal(err)
		default:
			messages = append(messages, string(message))
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	most := strings.Repeat("x", maxLine)
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"none", "", nil},
		{"blank", "\n \r\n\t\n\n", nil},
		{"lines", "a\nb\r\nc\n", []string{"a", "b", "c"}},
		{"a last line without an end", "a\nb", []string{"a", "b"}},
		{"white space around", "  a \t\r\n", []string{"a"}},
		{"a mark", "\uFEFF\r\n\uFEFFa\nb", []string{"a", "b"}},
		{"the longest", most + "\r\n" + most, []string{most, most}},
		{"too long", "a\n" + long + "\nb\n", []string{"a", "too long", "b"}},
		{"much too long", strings.Repeat(long, 5) + "\nb", []string{"too long", "b"}},
		{"too long at the end", "a\n" + long, []string{"a", "too long"}},
		{"framed", "Content-Length: 3\r\n\r\na b", []string{"a b"}},
		{"framed, one after the other", "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\nb", []string{"{}", "b"}},
		{"framed with a line's end", "content-length:2\n\n{}\nc", []string{"{}", "c"}},
		{"framed with a type", "Content-Type: a/b; charset=utf-8\r\nContent-Length: 1\r\n\r\nx", []string{"x"}},
		{"framed with lines in it", "Content-Length: 5\r\n\r\n{\n1\n}z", []string{"{\n1\n}", "z"}},
		{"framed, cut off", "Content-Length: 9\r\n\r\nabc", []string{"abc"}},
		{"framed, nothing behind", "Content-Length: 9\r\n\r\n", nil},
		{"framed, empty", "Content-Length: 0\r\n\r\nb", []string{"b"}},
		{"framed, too long", fmt.Sprintf("Content-Length: %d\r\n\r\n%sb\n", len(long), long), []string{"too long", "b"}},
		{"framed, longer than there is", "Content-Length: 99999999999\r\n\r\nabc", []string{"too long"}},
		{"framed, an impossible length", "Content-Length: 99999999999999999999\r\n\r\na\n", []string{"a"}},
		{"framed, a negative length", "Content-Length: -5\r\n\r\na\n", []string{"a"}},
		{"framed, the head in any order and case", "CONTENT-LENGTH : 2\r\ncontent-type:x\r\n\r\n{}\r\n\r\nContent-type: x\nContent-length: 1\n\nb", []string{"{}", "b"}},
		{"framed with a length that is too short", "Content-Length: 1\r\n\r\n{}\nb\n", []string{"{", "}", "b"}},
		{"framed with a length that is too long", "Content-Length: 4\r\n\r\n{}\nb\nc\n", []string{"{}\nb", "c"}},
		{"framed without a length", "Content-Type: x\r\n\r\n{}\n", []string{"{}"}},
		{"a head that is too long", "Content-Length: " + long + "\n{}\n", []string{"too long", "{}"}},
		{"a head without its end", "Content-Length: 5\r\n{}\nb", []string{"{}", "b"}},
		{"a head at the end", "Content-Length: 5", nil},
		{"NUL", "\x00\na", []string{"\x00", "a"}},
	} {
		for way, reader := range map[string]io.Reader{
			"whole":    strings.NewReader(c.in),
			"halves":   iotest.HalfReader(strings.NewReader(c.in)),
			"with EOF": iotest.DataErrReader(strings.NewReader(c.in)),
		} {
			if got := read(t, reader); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %d messages %.200q, want %.200q", c.name, way, len(got), got, c.want)
			}
		}
	}
}

// TestLongLineIsNotHeld: what is too long is let go of as it is read.
func TestLongLineIsNotHeld(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := read(t, io.MultiReader(io.LimitReader(zeros{}, 1<<30), strings.NewReader("\na")))
	runtime.ReadMemStats(&after)
	if !slices.Equal(got, []string{"too long", "a"}) {
		t.Errorf("read %q", got)
	}
	if mem := after.TotalAlloc - before.TotalAlloc; mem > 20<<20 {
		t.Errorf("%d bytes were allocated for a line of 1 GiB", mem)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestReaderThatFails hands its error on.
func TestReaderThatFails(t *testing.T) {
	broken := errors.New("broken")
	in := newLines(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)))
	if line, err := in.next(); string(line) != "a" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := in.next(); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
