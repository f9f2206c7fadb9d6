package wayland

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// stream is messages one after the other.
func stream(requests ...[]byte) *bytes.Reader { return bytes.NewReader(bytes.Join(requests, nil)) }

func TestMessages(t *testing.T) {
	in := stream(
		appendRequest(nil, 7, 3, 5, uint32(6), Fixed(-384), "", "abc", "abcd", nil),
		appendRequest(nil, 9, 0),
	)
	m, err := readMessage(in)
	if err != nil || m.from != 7 || m.code != 3 {
		t.Fatalf("read %+v with error %v", m, err)
	}
	r := &m.args
	if a, b, c := r.Int(), r.Uint(), r.Fixed(); a != 5 || b != 6 || c != -1.5 {
		t.Errorf("read the numbers %v, %v, %v", a, b, c)
	}
	if a, b, c := r.Text(), r.Text(), r.Text(); a != "" || b != "abc" || c != "abcd" {
		t.Errorf("read the texts %q, %q, %q", a, b, c)
	}
	if id := r.Uint(); id != 0 || r.err != nil || len(r.rest) != 0 {
		t.Errorf("read object %d, %d bytes left, error %v", id, len(r.rest), r.err)
	}
	if r.Uint() != 0 || !errors.Is(r.err, errShort) {
		t.Errorf("beyond the end the error is %v", r.err)
	}
	if m, err := readMessage(in); err != nil || m.from != 9 || len(m.args.rest) != 0 {
		t.Errorf("read %+v with error %v", m, err)
	}
	if _, err := readMessage(in); err != io.EOF {
		t.Errorf("at the end the error is %v", err)
	}
}

func TestMalformedMessages(t *testing.T) {
	whole := appendRequest(nil, 7, 3, "abc")
	for name, b := range map[string][]byte{
		"half a header":   whole[:5],
		"half a message":  whole[:10],
		"no room for it":  order.AppendUint32(order.AppendUint32(nil, 7), 4<<16),
		"not whole words": append(order.AppendUint32(order.AppendUint32(nil, 7), 10<<16), 0, 0),
	} {
		if m, err := readMessage(bytes.NewReader(b)); err == nil {
			t.Errorf("%s: read %+v", name, m)
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(appendRequest(nil, 7, 3, 5, "abc", uint32(1)))
	f.Add(order.AppendUint32(order.AppendUint32(nil, 1), 0xFFFF<<16))
	f.Fuzz(func(t *testing.T, b []byte) {
		for in := bytes.NewReader(b); ; {
			left := in.Len()
			m, err := readMessage(in)
			if err != nil {
				return
			}
			if in.Len() > left-header {
				t.Fatal("a message of no bytes")
			}
			for range 20 {
				m.args.Text()
				m.args.Fixed()
			}
		}
	})
}
