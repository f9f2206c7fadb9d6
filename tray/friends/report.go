package friends

import (
	"fmt"

	"github.com/playpets/playpets/agents"
)

// Report takes what an agent said and returns the id of the friend that shows
// it. The error is ErrNoFriend, or that the state is none.
func (s *Store) Report(r agents.Report) (petID string, err error) {
	if !r.State.Valid() {
		return "", fmt.Errorf("report: %q is no state", r.State)
	}
	sentence := s.translate(r.State, r.Message)
	return s.tell(r.Pet, r.Agent, func(f *friend) { s.hear(f, r, sentence) })
}

// Say makes a friend say message as it stands: a code that a person types is
// text. No state changes. The error is ErrNoFriend.
func (s *Store) Say(pet, message string) (petID string, err error) {
	return s.tell(pet, "", func(f *friend) {
		f.sentence, f.speaker = message, nil
		s.changes = append(s.changes, Change{Friend: f.wire(), Previous: f.state, Sessions: s.atWork(f), Sentence: message, Said: true})
	})
}

// React makes a friend make a gesture. No state changes. The error is
// ErrNoFriend.
func (s *Store) React(pet string, reaction agents.Reaction) (petID string, err error) {
	return s.tell(pet, "", func(f *friend) {
		s.changes = append(s.changes, Change{Friend: f.wire(), Previous: f.state, Sessions: s.atWork(f), Reaction: reaction})
	})
}

// Again has OnChange hear once more what every friend shows, for who has seen
// nothing of it yet: a Change for each live session, the most urgent last, with
// its sentence if it waits for the person or failed.
func (s *Store) Again() {
	s.mu.Lock()
	for _, f := range s.friends {
		s.again(f, f.state)
	}
	s.mu.Unlock()
	s.deliver()
}

// AgainOf is Again for one friend.
func (s *Store) AgainOf(id string) {
	s.mu.Lock()
	for _, f := range s.friends {
		if f.ID == id {
			s.again(f, f.state)
		}
	}
	s.mu.Unlock()
	s.deliver()
}

// Console ends what has failed at a friend: the person knows. The error is
// ErrNoFriend.
func (s *Store) Console(pet string) error {
	_, err := s.tell(pet, "", func(f *friend) {
		for _, se := range s.sessions {
			if se.friend == f && se.state == agents.Error {
				s.end(se)
			}
		}
	})
	return err
}

// tell has the friend that is meant do something under the lock.
func (s *Store) tell(pet, agent string, do func(*friend)) (petID string, err error) {
	s.mu.Lock()
	f, err := s.find(pet, agent)
	if err == nil {
		petID = f.ID
		do(f)
	}
	s.mu.Unlock()
	s.deliver()
	return petID, err
}

// hear is Report under the lock.
func (s *Store) hear(f *friend, r agents.Report, sentence string) {
	now := s.now()
	s.note(r, now)
	se := s.sessionOf(f, r)
	if se != nil && (se.straggler(r, now) || se.stillAsks(r)) {
		return
	}
	if r.Lease == "" {
		s.overrule(keyOf(r, f.ID), se, r, now)
	}
	if se == nil {
		return
	}
	if r.Lease != "" {
		s.pair(se, r)
	}
	s.reports++
	se.order = s.reports
	if se.friend != f {
		s.move(se, f)
	}
	before, repeats := se.state, se.repeats(r, sentence, now)
	if repeats {
		sentence = se.sentence
	}
	se.take(r, sentence, now, s.lifetimes)
	if se.expires.After(now) {
		s.wakeBy(se.expires)
	} else {
		s.forget(se)
	}
	if repeats {
		return
	}
	if sentence != "" {
		s.remember(f, se, r, sentence, now)
	}
	s.settle(f, se, before, sentence, r.Begins)
}

// sessionOf returns the session that reports, a new one if need be; nil when
// it is about the end of one that nobody knows, with no last word.
func (s *Store) sessionOf(f *friend, r agents.Report) *session {
	key := keyOf(r, f.ID)
	se := s.sessions[key]
	if se == nil && (r.State != agents.Idle || r.Message != "") {
		s.supersede(r)
		s.makeRoom()
		se = &session{sessionKey: key, friend: f, state: agents.Idle, leased: r.Lease != ""}
		s.sessions[key] = se
	}
	return se
}

// supersede ends what failed before r, if r is the first work of a new session
// of the same agent in the same project: whoever starts again knows.
func (s *Store) supersede(r agents.Report) {
	if r.State != agents.Working || r.Session == "" || r.Project == "" || r.Lease != "" {
		return
	}
	for key, se := range s.sessions {
		if key.agent == r.Agent && se.project == r.Project && se.state == agents.Error {
			s.end(se)
		}
	}
}

// move gives a session to another friend, for its agent was given one. The
// friend that it leaves keeps nothing of it.
func (s *Store) move(se *session, f *friend) {
	left, before := se.friend, se.state
	s.forget(se)
	s.settle(left, se, before, "", false)
	se.friend = f
	s.sessions[se.sessionKey] = se
}

// forget ends a session: it shows nowhere any more.
func (s *Store) forget(se *session) {
	delete(s.sessions, se.sessionKey)
	se.state = agents.Idle
}

// makeRoom ends the least urgent session, the oldest of these, when there are
// too many.
func (s *Store) makeRoom() {
	if len(s.sessions) < maxSessions {
		return
	}
	var least *session
	for _, se := range s.sessions {
		if least == nil || se.state.Rank() < least.state.Rank() ||
			se.state == least.state && se.order < least.order {
			least = se
		}
	}
	s.end(least)
}

// end forgets a session and lets its friend show that.
func (s *Store) end(se *session) {
	before := se.state
	s.forget(se)
	s.settle(se.friend, se, before, "", false)
}

// settle folds the sessions of f into its state, after se, which had the
// state before, said news, or nothing since it ended or went elsewhere, and maybe
// begins something new.
//
// The friend speaks for the session that it shows: the most urgent, and of
// these the one heard last. So news is not said over what waits for the person
// or has failed in another session; but it is over mere work, or nobody would
// hear that one session is done while another goes on, and a question is said
// over a failure: that one waits for nobody.
func (s *Store) settle(f *friend, se *session, before agents.State, news string, begins bool) {
	top := s.top(f)
	c := Change{
		Previous: f.state, Agent: se.agent, Session: se.session, Project: se.project, State: se.state,
		Sessions: s.atWork(f), Told: s.told(se), Begins: begins,
	}
	f.state = s.stateOf(f)
	hadTheWord := f.speaker == se
	if news != "" && (top == nil || top == se || top.state == agents.Working || top.state == agents.Done || se.state == agents.Waiting) {
		c.Sentence = news
		f.sentence, f.speaker = news, se
	}
	if c.Friend = f.wire(); c.Sentence != "" || f.state != c.Previous || c.State != before || begins {
		s.changes = append(s.changes, c)
	}
	if c.Sentence == "" && top != nil && top != se && top.sentence != "" && (f.state != c.Previous || hadTheWord) {
		f.sentence, f.speaker = top.sentence, top
		s.changes = append(s.changes, Change{
			Friend: f.wire(), Previous: f.state, Sentence: top.sentence, Again: true,
			Agent: top.agent, Session: top.session, Project: top.project, State: top.state, Sessions: c.Sessions,
		})
	} else if c.Sentence == "" && f.state != c.Previous {
		f.sentence, f.speaker = "", nil // it is out of date
	}
}

// top is the session that f shows; nil when it is idle.
func (s *Store) top(f *friend) *session {
	var top *session
	for _, se := range s.sessions {
		if se.friend != f || se.state == agents.Idle {
			continue
		}
		if top == nil || se.state.Rank() > top.state.Rank() ||
			se.state == top.state && se.order > top.order {
			top = se
		}
	}
	return top
}
