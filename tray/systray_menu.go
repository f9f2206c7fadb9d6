//go:build !darwin

package tray

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"fyne.io/systray"

	"github.com/playpets/playpets/tray/icon"
)

// slot is a place of the real menu. It is never removed, since systray closes
// the channel of an item that is removed while a click may be on its way.
type slot struct {
	*systray.MenuItem      // nil: a line between groups
	sent              item // what systray knows
	do                atomic.Pointer[command]
	slots             []*slot
}

// build makes the menu's places, all there will ever be.
func (t *trayIcon) build(ctx context.Context) {
	v := t.newest()
	for _, i := range trayMenu(v, t.seats.sit(v.friends, time.Now())) {
		t.slots = append(t.slots, t.add(ctx, nil, i))
	}
	t.badge, t.tip = badge(v), clipTip(tooltip(v), runtime.GOOS)
	setIcon(t.badge)
	systray.SetTooltip(t.tip)
}

// add makes a place for i and those below it.
func (t *trayIcon) add(ctx context.Context, parent *systray.MenuItem, i item) *slot {
	p := &slot{sent: i}
	if i.slot == "" {
		addLine(parent)
		return p
	}
	p.MenuItem = addItem(parent, escape(i.label, runtime.GOOS), i.mark)
	p.do.Store(&i.do)
	if i.items == nil && !(i.disabled && i.do == command{}) {
		// Clicks that nobody waits for are dropped, but for these.
		p.ClickedCh = make(chan struct{}, 64)
		go p.forward(ctx, t.clicks)
	}
	for _, below := range i.items {
		p.slots = append(p.slots, t.add(ctx, p.MenuItem, below))
	}
	if i.disabled {
		p.Disable()
	}
	if i.hidden {
		p.Hide()
	}
	return p
}

func addLine(parent *systray.MenuItem) {
	if parent == nil {
		systray.AddSeparator()
		return
	}
	parent.AddSeparator()
}

func addItem(parent *systray.MenuItem, label string, m mark) *systray.MenuItem {
	switch {
	case parent == nil && m == unmarked:
		return systray.AddMenuItem(label, "")
	case parent == nil:
		return systray.AddMenuItemCheckbox(label, "", m == on)
	case m == unmarked:
		return parent.AddSubMenuItem(label, "")
	}
	return parent.AddSubMenuItemCheckbox(label, "", m == on)
}

// forward turns clicks into what the place means at that moment. Somebody may
// look at a menu that is a moment old: a friend's place stays that friend's for a
// while, so the worst that can happen is that it has left, and nothing does.
func (p *slot) forward(ctx context.Context, clicks chan<- command) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.ClickedCh:
		}
		select {
		case <-ctx.Done():
			return
		case clicks <- *p.do.Load():
		}
	}
}

// apply brings the newest view to the panel: what differs and nothing more.
func (t *trayIcon) apply() {
	// systray v1.12.2 panics if the bus went away just now. It keeps what it was told,
	// and shows that when the icon appears anew.
	defer func() { _ = recover() }()
	v := t.newest()
	s := t.seats.sit(v.friends, time.Now())
	if t.rest = nil; s.taken() < min(len(v.friends), maxSeats) {
		t.rest = time.After(seatRest)
	}
	updateSlots(t.slots, trayMenu(v, s))
	if b := badge(v); b != t.badge {
		t.badge = b
		setIcon(b)
	}
	if tip := clipTip(tooltip(v), runtime.GOOS); tip != t.tip {
		t.tip = tip
		systray.SetTooltip(tip)
	}
}

func (t *trayIcon) newest() view {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next
}

func updateSlots(slots []*slot, items []item) {
	for n, p := range slots {
		if p.MenuItem != nil {
			p.set(items[n])
		}
	}
}

// set makes the place show i. A hidden one keeps what it last meant, for a menu
// that still shows it; on Windows a change would show it again, too.
func (p *slot) set(i item) {
	was := p.sent
	if i.hidden {
		if !was.hidden {
			p.sent.hidden = true
			p.Hide()
		}
		return
	}
	p.sent = i
	p.do.Store(&i.do)
	updateSlots(p.slots, i.items)
	if i.label != was.label {
		p.SetTitle(escape(i.label, runtime.GOOS))
	}
	if i.mark != was.mark && i.mark == on {
		p.Check()
	} else if i.mark != was.mark {
		p.Uncheck()
	}
	if i.disabled != was.disabled && i.disabled {
		p.Disable()
	} else if i.disabled != was.disabled {
		p.Enable()
	}
	if was.hidden {
		p.Show()
	}
}

// setIcon sends one large picture to panels that scale it, and to Windows, which
// does not do that well, one of each size.
func setIcon(b icon.Badge) {
	if runtime.GOOS == "windows" {
		systray.SetIcon(icon.ICO(b))
		return
	}
	systray.SetIcon(icon.PNG(b, 64))
}
