package friends

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Run ends sessions when their time is up and writes activities to disk, until
// ctx ends. It has one timer, and none when nothing is due.
//
// Times are compared as the monotonic clock has them: it takes no notice when
// somebody sets the clock, and it rests while the machine sleeps, as the
// agents do.
func (s *Store) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.wake:
		}
		if next := s.tick(); !next.IsZero() {
			timer.Reset(next.Sub(s.now()))
		}
	}
}

// tick does what is due and returns when the next thing is; zero for never.
func (s *Store) tick() (next time.Time) {
	s.mu.Lock()
	now := s.now()
	s.expire(now)
	save := !s.saveAt.IsZero() && !s.saveAt.After(now)
	s.mu.Unlock()
	s.deliver()
	if save {
		s.save() // says itself what went wrong
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed = s.saveAt
	for _, se := range s.sessions {
		if s.armed.IsZero() || se.expires.Before(s.armed) {
			s.armed = se.expires
		}
	}
	return s.armed
}

// expire ends the sessions whose time is up, the least urgent first: then a
// friend that loses several goes straight to the state it keeps.
func (s *Store) expire(now time.Time) {
	var due []*session
	for _, se := range s.sessions {
		if !se.expires.After(now) {
			due = append(due, se)
		}
	}
	slices.SortFunc(due, func(a, b *session) int {
		return cmp.Or(cmp.Compare(a.state.Rank(), b.state.Rank()), cmp.Compare(a.order, b.order))
	})
	for _, se := range due {
		s.end(se)
	}
}

// wakeBy has Run wake at t, if it would not by then.
func (s *Store) wakeBy(t time.Time) {
	if !s.armed.IsZero() && !t.Before(s.armed) {
		return
	}
	s.armed = t
	select {
	case s.wake <- struct{}{}:
	default: // it was told already
	}
}
