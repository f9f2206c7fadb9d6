// Package hook is the fast door: it answers `playpets hook …` from its init,
// before the rest of the program initialises, and exits.
//
// Agents start this process at every tool call, and importing the whole
// program costs more than the work itself. Since Go 1.21 the packages of a
// program initialise in the order of their import paths, each as soon as its
// imports are ready (go.dev/doc/go1.21, "package initialization order"), so a
// package with few imports whose path sorts early can answer and exit before
// the others begin.
//
// What package os brings has to initialise anyway. Beyond that this package and
// its imports may import what sorts before "github.com/playpets" or brings
// nothing in its wake: bytes, unicode and strconv do no harm, but for strings
// one waits until fmt, reflect, crypto and the like have gone first. A test
// counts what initialises.
//
// It never hurts the agent: exit code 0 whatever happens, nothing on either
// stream but what the agent must read, no waiting beyond a few seconds, and
// all of the input is read, so that the agent meets no broken pipe. It decides
// nothing and keeps nothing: agents translates, bridge/line delivers.
package hook

import (
	"os"
	"syscall"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

const (
	// lastResort ends everything. Agents do not always hold to their own
	// timeouts (anthropics/claude-code#87289).
	lastResort = 2500 * time.Millisecond
	// exchange bounds the whole exchange with the app.
	exchange = 250 * time.Millisecond
	// patience is how long the input may be silent when nothing more is
	// wanted of it.
	patience = 100 * time.Millisecond
)

func init() {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		os.Exit(Main(os.Args[2:]))
	}
}

// Main is `playpets hook` with these arguments. It returns 0, or exits with 0
// when its time is up.
func Main(args []string) int {
	defer time.AfterFunc(lastResort, leave).Stop()
	survive(func() { run(args) })
	return 0
}

// survive keeps a panic from the agent: Go would print it and exit with 2,
// which agents take for "block this step".
func survive(f func()) {
	defer func() { _ = recover() }()
	f()
}

func run(args []string) {
	o, ok := parse(args)
	// The answer goes first: whatever happens later, it has been given, once.
	// Not through os.Stdout, whose broken pipe would end us by a signal.
	_, _ = syscall.Write(syscall.Stdout, []byte(o.kind.Answer))
	report, says := read(o)
	if ok && says {
		report.Pet = o.pet
		send(o.bridge, report)
	}
	drain()
}

func leave() { os.Exit(0) }

// read makes a report of the payload.
func read(o options) (agents.Report, bool) {
	r := o.kind.Reader()
	if o.payload != "" {
		r.Feed([]byte(o.payload))
	} else {
		input(r.Feed)
	}
	return r.Report()
}

// send delivers a report, or does not: an app that is off, hung or of another
// mind is no reason to try again.
func send(bridge string, r agents.Report) {
	if bridge == "" {
		path, err := line.DefaultPath()
		if err != nil {
			return
		}
		bridge = path
	}
	app, err := line.Find(bridge)
	if err != nil {
		return
	}
	_, _, _ = app.Exchange("POST", "/events", body(r), exchange)
}

// body is the JSON of r, by hand since encoding/json initialises reflect.
func body(r agents.Report) []byte {
	b := line.AppendString([]byte(`{"state":`), string(r.State))
	for _, member := range [...]struct{ name, value string }{
		{"pet", r.Pet},
		{"message", r.Message},
		{"agent", r.Agent},
		{"session", r.Session},
		{"project", r.Project},
		{"part", r.Part},
	} {
		if member.value != "" {
			b = append(b, `,"`+member.name+`":`...)
			b = line.AppendString(b, member.value)
		}
	}
	if r.Begins {
		b = append(b, `,"begins":true`...)
	}
	return append(b, '}')
}
