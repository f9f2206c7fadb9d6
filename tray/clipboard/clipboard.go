// Package clipboard puts a text into the clipboard without any program to
// install, and says so only when the text is really there: it is read back, as
// another program would.
//
// It serves the text as long as the desktop wants that of us, and no longer. It
// never looks at what others have copied but to compare it with what it has just
// put there.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// A Clipboard owns what it copied until somebody else copies something. Its
// methods may be called from anywhere.
type Clipboard struct {
	log   *slog.Logger
	limit time.Duration // for each way

	mu     sync.Mutex // one copy at a time
	held   holder
	closed bool
}

const (
	wayLimit  = 3 * time.Second // that a desktop has for all of a copy, one way
	lastLimit = time.Second     // that it has to take the text over at the end
)

// A way leads to a clipboard. They are in a table for each system, the best one
// first.
type way struct {
	name string
	// find says why the way cannot be taken, if that is seen from here.
	find func(context.Context) error
	// copy puts a text there and reads it back. The holder is nil where the system
	// itself keeps the text.
	copy func(context.Context, string) (holder, error)
}

// A holder serves a text. It ends by itself when somebody else copies something,
// or the desktop ends.
type holder interface {
	leave(context.Context) // the text to somebody who keeps it, if there is anybody
	end()
}

var (
	errClosed   = errors.New("the app is closing")
	errNotThere = errors.New("something else is in the clipboard")
)

// New makes a Clipboard, which connects to nothing yet.
func New(log *slog.Logger) *Clipboard {
	return &Clipboard{log: log, limit: wayLimit}
}

// Copy puts a text into the clipboard and says by which way: "Wayland
// data-control", "X11", "Klipper", "Windows" or "macOS". Unless the text really
// is there the error says what was tried. Each way has three seconds, and of the time
// that is left until ctx ends not more than its share.
func (c *Clipboard) Copy(ctx context.Context, text string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return "", fmt.Errorf("copy to the clipboard: %w", errClosed)
	}
	var tried trials
	for i, w := range ways {
		limit := c.limit
		if end, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(end)/time.Duration(len(ways)-i))
		}
		held, err := within(ctx, limit, func(ctx context.Context) (holder, error) { return w.copy(ctx, text) }, dispose)
		if err == nil {
			dispose(c.held)
			c.held = held
			return w.name, nil
		}
		c.log.Debug("a way to the clipboard is closed", "way", w.name, "reason", err)
		tried.add(w.name, err)
	}
	return "", fmt.Errorf("copy to the clipboard: %w", tried.err)
}

// Close ends what is being served, after it was offered to a clipboard manager,
// if one runs, for at most a second.
func (c *Clipboard) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.held
	c.closed, c.held = true, nil
	if held == nil {
		return
	}
	within(context.Background(), lastLimit, func(ctx context.Context) (any, error) {
		held.leave(ctx)
		return nil, nil
	}, func(any) {})
	held.end()
}

// Way is the way that Copy would take, as far as that is known without touching
// what is in the clipboard; an error that says what was tried when there is none.
func Way(ctx context.Context) (string, error) {
	var tried trials
	for _, w := range ways {
		_, err := within(ctx, wayLimit, func(ctx context.Context) (any, error) { return nil, w.find(ctx) }, func(any) {})
		if err == nil {
			return w.name, nil
		}
		tried.add(w.name, err)
	}
	return "", fmt.Errorf("look for a clipboard: %w", tried.err)
}

func dispose(h holder) {
	if h != nil {
		h.end()
	}
}

// within is what do answers if it does so in time; what comes too late is
// dropped. Not every library hears of a ctx.
func within[T any](ctx context.Context, limit time.Duration, do func(context.Context) (T, error), drop func(T)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New("no answer in time"))
	defer cancel()
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := do(ctx)
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		if a.err != nil && ctx.Err() != nil {
			a.err = context.Cause(ctx) // more to the point than how the end was seen
		}
		return a.value, a.err
	case <-ctx.Done():
		go func() { drop((<-done).value) }()
		var none T
		return none, context.Cause(ctx)
	}
}

// trials are the ways that led nowhere, as one error.
type trials struct{ err error }

func (t *trials) add(name string, err error) {
	if t.err == nil {
		t.err = fmt.Errorf("%s: %w", name, err)
	} else {
		t.err = fmt.Errorf("%w; %s: %w", t.err, name, err)
	}
}
