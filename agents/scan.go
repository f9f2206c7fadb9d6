package agents

import "unicode/utf8"

// maxText is how many bytes of one string are kept: the longest path of Linux.
const maxText = 4096

// maxLevels is how deep the path of a field may go.
const maxLevels = 3

// field is one place of a payload that somebody wants. Nothing else of the
// payload is kept anywhere.
type field struct {
	path   []string // keys from the top; "[0]" is an array's first element, "[]" each of them
	text   *string  // takes the string found there, "" when it is no string
	flag   *bool    // or is set when that string begins with prefix, which is all that is kept of it
	prefix string
}

// level is an open container on the way to a field.
type level struct {
	array bool
	begun bool   // array: its first element is behind us
	match uint64 // the fields whose path leads through here
}

// expect is what the scanner expects next.
type expect uint8

const (
	inStart  expect = iota // the first object
	inKey                  // a key, or the end of the object
	inColon                // the colon behind a key
	inValue                // a value, or the end of an array
	inComma                // the next member, or the end of the container
	inScalar               // the rest of a number, true, false or null
	inString               // the rest of a string
	inSkip                 // the rest of a container that nobody wants
	inDone                 // nothing: the object is whole
	inDead                 // nothing: this is no object
)

// scanner finds the wanted fields of the first JSON object in a stream.
//
// It is written by hand, since encoding/json initialises reflect and fmt
// before the fast door can answer, reads nothing before the whole value is in
// memory (a payload can hold megabytes of tool input), and refuses what agents
// really send: raw control characters in strings (anthropics/claude-code#53463),
// byte order marks in front, a second value behind. Where encoding/json takes
// the input, both find the same, which the fuzz target holds.
//
// Its state is bounded: one string of maxText bytes and maxLevels levels; what
// lies deeper is only counted.
type scanner struct {
	fields  []field
	next    expect
	depth   int // levels in use
	levels  [maxLevels]level
	skipped int    // containers open in a value that nobody wants
	match   uint64 // the fields that the coming value belongs to

	// The string being read.
	key     bool // it is a key
	keep    bool // it goes to buf
	odd     bool // not kept: an odd number of backslashes stands last
	decoder unescaper
	buf     [maxText]byte
	length  int

	encoding encoding
}

// feed takes the next bytes. It reports whether the rest does not matter: the
// object is whole, or there is none.
func (s *scanner) feed(p []byte) bool {
	s.encoding.decode(p, s.scan)
	return s.next >= inDone
}

// whole reports whether the object was read to its end.
func (s *scanner) whole() bool { return s.next == inDone }

func (s *scanner) scan(p []byte) {
	for len(p) > 0 && s.next < inDone {
		n := 1
		switch s.next {
		case inString:
			n = s.str(p)
		case inSkip:
			n = s.skip(p)
		default:
			s.step(p[0])
		}
		p = p[n:]
	}
}

// step takes one byte outside of strings.
func (s *scanner) step(c byte) {
	if c <= ' ' { // also the control characters that JSON does not know as white space
		if s.next == inScalar {
			s.next = inComma
		}
		return
	}
	switch s.next {
	case inStart:
		s.start(c)
	case inKey:
		if c == '"' {
			s.open(true)
		} else {
			s.end(c)
		}
	case inColon:
		s.next = inValue
		if c != ':' {
			s.next = inDead
		}
	case inValue:
		s.value(c)
	case inScalar:
		if c == ',' || c == '}' || c == ']' {
			s.comma(c)
		}
	case inComma:
		s.comma(c)
	}
}

// start waits for the object. A byte order mark stands before it as itself,
// twice, read in some code page, or as the "?" that PowerShell's ASCII pipe
// makes of it; none of these can begin a JSON value.
func (s *scanner) start(c byte) {
	switch {
	case c == '{':
		s.push(false, 1<<len(s.fields)-1)
	case c < utf8.RuneSelf && c != '?':
		s.next = inDead
	}
}

// push enters a container that fields lie in.
func (s *scanner) push(array bool, match uint64) {
	s.levels[s.depth] = level{array: array, match: match}
	s.depth++
	if array {
		s.element()
	} else {
		s.next = inKey
	}
}

// element prepares for an element of the array we are in.
func (s *scanner) element() {
	l := &s.levels[s.depth-1]
	s.match = s.below(l, "[]")
	if !l.begun {
		s.match |= s.below(l, "[0]")
		l.begun = true
	}
	s.next = inValue
}

// below is the fields of l whose path goes on with name.
func (s *scanner) below(l *level, name string) uint64 {
	var match uint64
	for i := range s.fields {
		if l.match&(1<<i) != 0 && s.fields[i].path[s.depth-1] == name && l.array == (name[0] == '[') {
			match |= 1 << i
		}
	}
	return match
}

func (s *scanner) value(c byte) {
	switch c {
	case '"':
		s.open(false)
	case '{', '[':
		if inside := s.match &^ s.leaves(); inside != 0 {
			s.push(c == '[', inside)
		} else {
			s.skipped = 1
			s.next = inSkip
		}
	case '}', ']':
		s.end(c)
	default:
		s.next = inScalar
	}
}

// leaves is the fields that the coming value itself is for.
func (s *scanner) leaves() uint64 {
	var leaves uint64
	for i := range s.fields {
		if s.match&(1<<i) != 0 && len(s.fields[i].path) == s.depth {
			leaves |= 1 << i
		}
	}
	return leaves
}

// comma takes what stands between two members. A comma too many is forgiven.
func (s *scanner) comma(c byte) {
	switch {
	case c != ',':
		s.end(c)
	case s.levels[s.depth-1].array:
		s.element()
	default:
		s.next = inKey
	}
}

// end leaves a container.
func (s *scanner) end(c byte) {
	array := s.levels[s.depth-1].array
	if array && c != ']' || !array && c != '}' {
		s.next = inDead
		return
	}
	s.depth--
	s.next = inComma
	if s.depth == 0 {
		s.next = inDone
	}
}

// skip passes over a container that nobody wants, up to its end or to a string
// in it.
func (s *scanner) skip(p []byte) int {
	for i, c := range p {
		switch c {
		case '"':
			s.open(false)
			return i + 1
		case '{', '[':
			s.skipped++
		case '}', ']':
			s.skipped--
			if s.skipped == 0 {
				s.next = inComma
				return i + 1
			}
		}
	}
	return len(p)
}
