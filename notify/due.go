package notify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Due returns what is to be told now, the most urgent first. It counts as told.
func (p *Policy) Due(now time.Time) (due []Notice) {
	if p.quiet {
		return nil
	}
	if p.summary {
		return p.missed(now)
	}
	groups := p.groups(now)
	free := p.free(now)
	if len(groups) > free {
		groups = byKind(groups)
	}
	for _, g := range groups[:min(free, len(groups))] {
		due = append(due, p.tell(g, now))
	}
	return due
}

// missed is everything that is held, in one, as soon as that may be told.
func (p *Policy) missed(now time.Time) []Notice {
	var all []*session
	for _, s := range p.sessions {
		if s.held != nil {
			all = append(all, s)
		}
	}
	if len(all) > 0 && now.Before(p.Next()) {
		return nil
	}
	p.summary = false
	if len(all) == 0 {
		return nil
	}
	n := p.tell(all, now)
	n.Missed = true
	return []Notice{n}
}

// groups is what may be told of each friend now: of what is held the most
// urgent kind, in one.
func (p *Policy) groups(now time.Time) (groups [][]*session) {
	friends := map[string][]*session{}
	for _, s := range p.sessions {
		if s.held == nil || now.Before(s.since) || now.Before(p.told[s.friend].Add(friendPause)) {
			continue
		}
		g := friends[s.friend]
		if len(g) > 0 && g[0].held.Kind < s.held.Kind {
			g = nil
		}
		if len(g) == 0 || g[0].held.Kind == s.held.Kind {
			friends[s.friend] = append(g, s)
		}
	}
	for _, g := range friends {
		slices.SortFunc(g, func(a, b *session) int { return a.since.Compare(b.since) })
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []*session) int {
		return cmp.Or(cmp.Compare(b[0].held.Kind, a[0].held.Kind), a[0].since.Compare(b[0].since),
			strings.Compare(a[0].friend, b[0].friend))
	})
	return groups
}

// byKind joins the groups of each kind; they are in the order of kinds.
func byKind(groups [][]*session) (joined [][]*session) {
	for _, g := range groups {
		last := len(joined) - 1
		if last < 0 || joined[last][0].held.Kind != g[0].held.Kind {
			joined = append(joined, nil)
			last++
		}
		joined[last] = append(joined[last], g...)
	}
	return joined
}

// tell folds what these hold into one notice, which counts as told.
func (p *Policy) tell(group []*session, now time.Time) Notice {
	n := *group[0].held
	maps.DeleteFunc(p.told, func(_ string, at time.Time) bool { return now.Sub(at) >= friendPause })
	for i, s := range group {
		if i > 0 {
			n = n.with(*s.held)
		}
		n.Count++
		n.Kinds[s.held.Kind]++
		s.told, s.held = s.held.Kind.rank(), nil
		p.told[s.friend] = now
	}
	if n.key = group[0].key; n.Count > 1 {
		p.folds++
		n.key = strconv.Itoa(p.folds)
	}
	for _, s := range group {
		s.last = n
	}
	copy(p.recent[:], p.recent[1:])
	p.recent[perMinute-1] = now
	return n
}

// with is what two notices have in common.
func (n Notice) with(o Notice) Notice {
	n.Kind = max(n.Kind, o.Kind)
	for _, f := range []struct {
		of    *string
		other string
	}{{&n.Friend, o.Friend}, {&n.Agent, o.Agent}, {&n.Project, o.Project}} {
		if *f.of != f.other {
			*f.of = ""
		}
	}
	n.Text, n.Took = "", 0
	return n
}

// free is how many notices this minute may still see.
func (p *Policy) free(now time.Time) (n int) {
	for _, at := range p.recent {
		if now.Sub(at) >= time.Minute {
			n++
		}
	}
	return n
}

// Next is when Due will have something if nothing happens until then; zero for
// never. It may have passed.
func (p *Policy) Next() (at time.Time) {
	if p.quiet {
		return at
	}
	for _, s := range p.sessions {
		if s.held == nil {
			continue
		}
		free := later(s.since, p.told[s.friend].Add(friendPause))
		if at.IsZero() || p.summary == free.After(at) {
			at = free // a summary waits for all of its friends
		}
	}
	if at.IsZero() {
		return at
	}
	return later(at, p.recent[0].Add(time.Minute))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
