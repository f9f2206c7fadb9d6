package friends

import (
	"slices"
	"strings"
	"time"

	"github.com/playpets/playpets/agents"
)

// Lifetimes is how long a session keeps a state that no report renews. Zero
// or less is the default: working 15 minutes, waiting 24 hours, error 60
// minutes, done 60 seconds.
type Lifetimes struct {
	Working, Waiting, Error, Done time.Duration
}

func (l Lifetimes) of(s agents.State) time.Duration {
	set, byDefault := time.Duration(0), time.Duration(0)
	switch s {
	case agents.Working:
		set, byDefault = l.Working, 15*time.Minute
	case agents.Waiting:
		set, byDefault = l.Waiting, 24*time.Hour
	case agents.Error:
		set, byDefault = l.Error, time.Hour
	case agents.Done:
		set, byDefault = l.Done, time.Minute
	}
	if set > 0 {
		return set
	}
	return byDefault
}

const (
	// maxSessions are kept at once; whoever floods us with new ones pushes out
	// the least urgent, oldest first.
	maxSessions = 256

	// maxAsking is how many parts of a session are known to wait at once.
	maxAsking = 32

	// repeat is how soon the same words again are a duplicate: Cursor's
	// thoughts come several a second. Later, somebody means them.
	repeat = time.Second

	// straggle is how long after the end of a turn its own late events may
	// still come: each hook is a process of its own, and they overlap.
	straggle = 1500 * time.Millisecond

	// unsure is how long a turn lasts that seems to begin within straggle,
	// unless a later event shows that there is one.
	unsure = 20 * time.Second

	// doneShown is how long done stays when the session itself is gone: a
	// headless run ends 0.2 s after its last turn, and nobody would see it.
	doneShown = 5 * time.Second
)

// sessionKey names one run of one agent. Who reports without a session is one
// anonymous session for each agent and friend.
type sessionKey struct {
	agent, session string
	friend         string // only if session is empty
}

func keyOf(r agents.Report, friend string) sessionKey {
	if r.Session == "" {
		return sessionKey{agent: r.Agent, friend: friend}
	}
	return sessionKey{agent: r.Agent, session: r.Session}
}

// session is one run of one agent and what it said last. An idle one is only
// a memory that it just ended, for its late events.
type session struct {
	sessionKey
	friend   *friend
	project  string
	state    agents.State
	message  string // as it was reported: maybe a code
	sentence string
	asking   []string  // the parts of it that wait for the person
	inTool   bool      // a tool call began and its end was not reported
	heard    time.Time // when its last report came that counted
	turnEnd  time.Time // when its last turn ended
	order    int       // the number of its last report: the latest speaks first
	expires  time.Time
	leased   bool       // it speaks with a lease
	beside   sessionKey // then: that of the same run's hooks; zero: not known
	rested   time.Time  // then: when the turn ended in which it spoke last; zero: it goes on
}

// straggler reports whether r, coming at now, is a late event of the turn
// that this session has ended already. Nothing in a report names its turn, so
// this goes by time and by what a new turn can begin with:
//
//   - A turn begins with a prompt (@thinking), never with a tool, nor with a
//     question: these are late, even those that the agent sent as reminders.
//   - @thinking is the end of a tool as well as a prompt. If a tool was open
//     when the turn ended it is that tool's end, else it is the next prompt, as
//     it is for sure where the report says so.
//
// A turn that is missed so is seen at its next event. Work in words of its own,
// and all reports without a session, come from people and scripts, who mean what
// they say, as do those who hold a lease: they wait for each answer.
func (se *session) straggler(r agents.Report, now time.Time) bool {
	if se.session == "" || se.leased || r.Begins || !endsTurn(se.state) || now.Sub(se.turnEnd) >= straggle {
		return false
	}
	switch r.State {
	case agents.Waiting:
		_, hooks := agents.KindNamed(r.Agent) // their questions overlap as well
		return hooks
	case agents.Working:
		return beginsTool(r.Message) || r.Message == thinking && se.inTool
	}
	return false
}

// stillAsks notes who of the session asks the person and who goes on, and reports
// whether r is work beside a question of another part: that is still open, and
// counts for more. A question that no part owns is over with any work, as are all
// at the end of a turn: one too many would stay for a day.
func (se *session) stillAsks(r agents.Report) bool {
	switch {
	case r.State == agents.Waiting:
		if r.Part != "" && len(se.asking) < maxAsking && !slices.Contains(se.asking, r.Part) {
			se.asking = append(se.asking, r.Part)
		}
	case r.State == agents.Working && r.Part != "":
		se.asking = slices.DeleteFunc(se.asking, func(part string) bool { return part == r.Part })
	default:
		se.asking = nil
	}
	return len(se.asking) > 0 && r.State == agents.Working
}

// take makes r what the session does now, and sets how long that lasts.
func (se *session) take(r agents.Report, sentence string, now time.Time, lifetimes Lifetimes) {
	if r.State == agents.Idle && se.state == agents.Done && se.session != "" {
		// The end of the session does not undo what it has done.
		se.expires = earlier(se.expires, se.turnEnd.Add(doneShown))
		return
	}
	lifetime := lifetimes.of(r.State)
	switch {
	case se.session == "":
	case r.State == agents.Idle:
		lifetime = straggle
	case isHookCode(r.Message) && !r.Begins && now.Sub(se.turnEnd) < straggle:
		lifetime = min(lifetime, unsure)
	}
	if endsTurn(r.State) {
		se.turnEnd = now
	}
	if r.State == agents.Working {
		se.inTool = beginsTool(r.Message)
	}
	if r.State != se.state || sentence != se.sentence { // else it may have renewed only
		se.message = r.Message
	}
	se.state, se.sentence, se.project = r.State, sentence, r.Project
	se.heard, se.expires = now, now.Add(lifetime)
}

// repeats reports whether r says nothing, or what the session said a moment
// ago, and changes nothing: it only renews.
func (se *session) repeats(r agents.Report, sentence string, now time.Time) bool {
	return se.state == r.State && !r.Begins && (r.Message == "" || se.sentence == sentence && now.Sub(se.heard) < repeat)
}

func endsTurn(s agents.State) bool {
	return s == agents.Done || s == agents.Error || s == agents.Idle
}

// thinking is the code of a prompt, and of the end of a tool.
const thinking = "@thinking"

// isHookCode reports whether a message is a code that hooks send as they work.
func isHookCode(message string) bool { return message == thinking || beginsTool(message) }

// beginsTool reports whether a message is one of the codes that agents send
// at a tool call. @running is not: it is a program that `playpets run` starts.
func beginsTool(message string) bool {
	code, _, _ := strings.Cut(message, " ")
	switch code {
	case "@tool", "@tool_any", "@editing", "@command", "@subtask":
		return true
	}
	return false
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
