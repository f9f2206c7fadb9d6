//go:build unix && !darwin

package desktop

import "testing"

func TestState(t *testing.T) {
	yes, no := news{known: true, on: true}, news{known: true}
	for _, c := range []struct {
		news map[kind]news
		want State
	}{
		{nil, nothing},
		{map[kind]news{lessMotion: yes}, still},
		{map[kind]news{noAnimations: yes}, still},
		{map[kind]news{lessMotion: no, noAnimations: yes}, nothing},
		{map[kind]news{lessMotion: yes, noAnimations: no}, still},
		{map[kind]news{darkColours: yes}, night},
		{map[kind]news{darkColours: no, unseen: no, asleep: no}, nothing},
		{map[kind]news{unseen: yes}, away},
		{map[kind]news{asleep: yes}, away},
		{map[kind]news{lessMotion: yes, darkColours: yes, unseen: no, asleep: yes}, State{true, true, true}},
	} {
		b := board{news: map[*fact]news{}}
		for k, n := range c.news {
			b.news[&fact{kind: k}] = n
		}
		if got := b.state(); got != c.want {
			t.Errorf("%v: %+v, not %+v", c.news, got, c.want)
		}
	}
}

// Answers and signals may be noted out of their order on the bus.
func TestNewestCounts(t *testing.T) {
	var told []State
	b := board{news: map[*fact]news{}, tell: func(s State) { told = append(told, s) }}
	saver, portal := &fact{kind: unseen}, &fact{kind: darkColours}
	both := []*fact{saver, portal}
	b.put(saver, true, 5)
	b.put(saver, false, 4) // an answer that the signal overtook
	b.put(portal, true, 6)
	b.gone(both, 7)
	b.put(saver, true, 6) // the last word of somebody gone
	b.put(saver, true, 8)
	b.gone(both, 0) // the bus itself: a new one counts from the start
	b.put(saver, true, 1)
	want := []State{away, {Dark: true, Away: true}, night, {Dark: true, Away: true}, night, {Dark: true, Away: true}}
	if len(told) != len(want) {
		t.Fatalf("told %+v", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %+v as number %d, not %+v", told[i], i+1, want[i])
		}
	}
}
