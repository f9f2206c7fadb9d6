// Package edit changes one thing in somebody's settings file and leaves every
// other byte as it was: comments, order, indentation, line ends and the mark
// at the beginning (BOM). Bytes in, bytes out: it reads and writes no files.
// What it cannot read, or could not change without touching something else,
// it refuses, and says where.
package edit

import (
	"bytes"
	"fmt"
)

// bom is the mark that some Windows programs put before UTF-8. No parser of
// ours takes it.
var bom = []byte("\ufeff")

// splitBOM takes the mark off, to be put back in front of the result.
func splitBOM(file []byte) (mark, text []byte) {
	if bytes.HasPrefix(file, bom) {
		return bom, file[len(bom):]
	}
	return nil, file
}

// lineEnd is how lines end in text: as the first one does.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is where the line of the byte at begins.
func lineStart(text []byte, at int) int {
	return bytes.LastIndexByte(text[:at], '\n') + 1
}

// nextLine is where the line after that of the byte at begins.
func nextLine(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// indentAt is the white space with which the line of the byte at begins.
func indentAt(text []byte, at int) string {
	start := lineStart(text, at)
	end := start
	for end < at && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[start:end])
}

// splice puts s in the place of text[from:to].
func splice(text []byte, from, to int, s string) []byte {
	out := make([]byte, 0, len(text)+len(s))
	out = append(out, text[:from]...)
	out = append(out, s...)
	return append(out, text[to:]...)
}

// refuse says why text cannot be edited, and at which byte. Columns count bytes.
func refuse(text []byte, at int, format string, args ...any) error {
	at = min(max(at, 0), len(text)) // toml puts some mistakes before the file or behind it
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	return fmt.Errorf("line %d, column %d: %s", line, 1+at-lineStart(text, at), fmt.Sprintf(format, args...))
}
