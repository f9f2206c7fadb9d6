package overlay

import (
	"image"
	"time"
)

// A tag is a small sign at a friend: how many sessions it works for, or that it
// sleeps.
type tag struct {
	label string // what was asked for last
	since time.Time
	sign  string // what is shown, or being drawn: label, dozes, or nothing

	balloon balloon
	picture *image.RGBA // nil until it is drawn
	shown   *image.RGBA // in balloon; nil while that is hidden
	corner  image.Point
}

// steady is how long a label must hold before it is shown: sessions that begin
// and end by the second do not make it flicker.
const steady = 1200 * time.Millisecond

// dozes is the sign of a friend that sleeps. No label has a control character.
const dozes = "\x00"

// set takes the newest label; empty for none.
func (t *tag) set(label string, now time.Time) {
	if label != t.label {
		t.label, t.since = label, now
	}
}

// wanted is the sign to be shown now, and when that may change.
func (t *tag) wanted(dozing bool, now time.Time) (sign string, next time.Time) {
	switch due := t.since.Add(steady); {
	case t.label != t.sign && now.Before(due) && t.sign != dozes:
		return t.sign, due
	case t.label == "" && dozing:
		return dozes, time.Time{}
	}
	return t.label, time.Time{}
}

func (t *tag) conceal() {
	if t.shown != nil {
		t.balloon.hide()
		t.shown = nil
	}
}

func (t *tag) close() {
	if t.balloon != nil {
		t.balloon.close()
	}
}

// wear brings f's sign up to date.
func (s *stage) wear(f *friend, now time.Time) (next time.Time) {
	t := &f.tag
	sign, next := t.wanted(f.actor.dozing(now), now)
	if sign != t.sign {
		t.sign, t.picture = sign, nil
		if sign != "" {
			s.drawTag(t, sign)
		}
	}
	corner := s.tagCorner(f)
	switch {
	case sign == "":
		t.conceal()
	case t.shown == nil && s.menuOpen(): // nothing covers that
	case t.picture != nil && (t.picture != t.shown || corner != t.corner):
		if t.balloon == nil {
			t.balloon = s.screen.newBalloon(f.Name)
		}
		came := t.shown == nil
		t.balloon.put(t.picture, corner)
		t.shown, t.corner = t.picture, corner
		if came {
			s.front(f)
		}
	}
	return next
}

func (s *stage) drawTag(t *tag, sign string) {
	s.draw(func(d *bubbles) func(time.Time) {
		img := d.sign(sign)
		return func(time.Time) {
			if t.sign == sign {
				t.picture = img
			}
		}
	})
}

// tagCorner is where f's sign belongs: a label at its feet, sleep beside its
// head.
func (s *stage) tagCorner(f *friend) image.Point {
	if f.tag.picture == nil {
		return image.Point{}
	}
	size := f.tag.picture.Rect.Size()
	at := image.Pt(f.at.X+(f.cell.X-size.X)/2, f.at.Y+f.cell.Y-size.Y)
	if f.tag.sign == dozes {
		head := f.strips[rowIdle].head.Add(f.at)
		at = image.Pt(head.Max.X-size.X/2, head.Min.Y-size.Y/2)
	}
	return within(s.monitorOf(f).work, at, size)
}
