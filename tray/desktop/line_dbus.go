//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// A line is one connection to a bus, while it lasts.
type line struct {
	*watcher
	conn   *dbus.Conn
	facts  map[string][]*fact // by the program that tells them
	owners map[string]string  // who has that program's name; empty for nobody
	asking sync.WaitGroup
}

// listen hears what is told of facts until the connection ends. It fails if the
// bus does not take our wishes.
func (w *watcher) listen(conn *dbus.Conn, facts []fact) error {
	l := &line{watcher: w, conn: conn, facts: map[string][]*fact{}, owners: map[string]string{}}
	for i := range facts {
		f := &facts[i]
		l.facts[f.peer] = append(l.facts[f.peer], f)
	}
	defer l.end()
	if err := join(conn, w.limit); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	if err := l.subscribe(); err != nil {
		return err
	}
	for {
		select {
		case s := <-signals:
			if s == nil { // closed with the connection
				return nil
			}
			l.hear(s)
		case <-conn.Context().Done(): // closed before it knew the channel
			return nil
		}
	}
}

// join introduces us. Neither step takes a limit: a bus that does not answer is
// hung up on.
func join(conn *dbus.Conn, limit time.Duration) error {
	patience := time.AfterFunc(limit, func() { conn.Close() })
	defer patience.Stop()
	if err := conn.Auth(nil); err != nil {
		return err
	}
	return conn.Hello()
}

func (l *line) end() {
	l.conn.Close()
	l.asking.Wait()
	for _, facts := range l.facts {
		l.gone(facts, dbus.NoSequence)
	}
}

// subscribe says what we want to hear, and asks those who are there.
func (l *line) subscribe() error {
	ctx, cancel := context.WithTimeout(l.conn.Context(), l.limit)
	defer cancel()
	for peer, facts := range l.facts {
		rules := [][]dbus.MatchOption{{
			dbus.WithMatchSender("org.freedesktop.DBus"),
			dbus.WithMatchInterface("org.freedesktop.DBus"),
			dbus.WithMatchMember("NameOwnerChanged"),
			dbus.WithMatchArg(0, peer),
		}}
		for _, f := range facts {
			rules = append(rules, f.rule())
		}
		for _, rule := range rules {
			if err := l.conn.AddMatchSignalContext(ctx, rule...); err != nil {
				return fmt.Errorf("listen to %s: %w", peer, err)
			}
		}
	}
	for peer, facts := range l.facts {
		call := l.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, peer)
		var owner string
		if err := call.Store(&owner); err != nil && !errors.As(err, new(dbus.Error)) {
			return fmt.Errorf("look for %s: %w", peer, err)
		}
		l.owners[peer] = owner
		l.gone(facts, call.ResponseSequence)
	}
	for _, facts := range l.facts {
		l.ask(facts...)
	}
	return nil
}

// hear takes a signal. Anybody on the bus can send us one, so only those who
// have the name count.
func (l *line) hear(s *dbus.Signal) {
	if s.Sender == "org.freedesktop.DBus" && s.Name == "org.freedesktop.DBus.NameOwnerChanged" {
		var peer, old, owner string
		if dbus.Store(s.Body, &peer, &old, &owner) == nil {
			l.owners[peer] = owner
			l.gone(l.facts[peer], s.Sequence)
			l.ask(l.facts[peer]...)
		}
		return
	}
	for peer, facts := range l.facts {
		if s.Sender != l.owners[peer] {
			continue
		}
		for _, f := range facts {
			if s.Name == f.signal {
				l.follow(f, s)
			}
		}
	}
}

func (l *line) follow(f *fact, s *dbus.Signal) {
	value, ok := f.value(s.Body)
	switch {
	case !ok:
	case f.again:
		l.ask(f)
	default:
		l.read(f, value, s.Sequence)
	}
}

// ask has facts answered by who is there, each on a goroutine of its own: a
// program may take its time or never answer. It starts none: one that starts
// before its session is complete can be broken all through it.
func (l *line) ask(facts ...*fact) {
	for _, f := range facts {
		if f.method == "" || l.owners[f.peer] == "" {
			continue
		}
		l.asking.Go(func() {
			ctx, cancel := context.WithTimeout(l.conn.Context(), l.limit)
			defer cancel()
			call := l.conn.Object(f.peer, f.path).CallWithContext(ctx, f.method, dbus.FlagNoAutoStart, f.args...)
			if call.Err == nil && len(call.Body) == 1 {
				l.read(f, call.Body[0], call.ResponseSequence)
			}
		})
	}
}

func (l *line) read(f *fact, value any, at dbus.Sequence) {
	if on, ok := f.read(value); ok {
		l.put(f, on, at)
	}
}
