// Package desktop hears what the desktop tells: whether the person wants less
// motion or dark colours, whether the screen is locked, whether the machine
// sleeps, who shows icons. It changes nothing, starts no program and no bus, and
// does not decide what is done about what it heard. Beside listening it only
// keeps an icon known to whoever shows icons.
package desktop

import (
	"context"
	"log/slog"
)

// A State is what the desktop says now. A desktop that says nothing has the
// zero State.
type State struct {
	ReducedMotion bool // the person asked for less motion
	Dark          bool // the person prefers dark colours
	Away          bool // the screen is locked or saved, or the machine sleeps
}

// Watch tells what the desktop says until ctx ends: the zero State at once, then
// each change, one call at a time. A machine that woke up is told too, changed
// or not, since its monitors may be others. A desktop that cannot be heard costs
// one line in the log and nothing more.
func Watch(ctx context.Context, log *slog.Logger, tell func(State)) {
	watch(ctx, log, tell)
}

// Session says why the session bus cannot be reached; nil if it can, and where
// desktops have none. It starts no bus, and gives up after two seconds.
func Session(ctx context.Context) error { return session(ctx) }

// KeepIcon keeps the icon that this program serves over the connection that
// godbus shares in the program known to whoever shows icons, now or later, until
// ctx ends or the bus is lost: then that connection is closed. missing is called once
// if nobody has shown icons for a while after the start. Where icons need no bus it
// only waits.
func KeepIcon(ctx context.Context, log *slog.Logger, missing func()) { keepIcon(ctx, log, missing) }
