package main

import "math"

// A Row is one row of the sheet: the key poses of its animation, one loop long, then single
// poses that a friend takes from idle's first.
type Row struct {
	Name   string
	Frames int
	Keys   []Key
	Stills []Pose
}

// cells is how many are drawn.
func (r Row) cells() int { return r.Frames + len(r.Stills) }

// rows in the order of the sheet. Times are frames; what a pose leaves out is at rest.
var rows = []Row{
	{Name: "idle", Frames: 6, Keys: idle, Stills: []Pose{glance(0, 0)}},
	{Name: "running-right", Frames: 8, Keys: run(1)},
	{Name: "running-left", Frames: 8, Keys: run(-1)},
	{Name: "waving", Frames: 4, Keys: waving},
	{Name: "jumping", Frames: 5, Keys: jumping},
	{Name: "failed", Frames: 8, Keys: failed},
	{Name: "waiting", Frames: 6, Keys: waiting},
	{Name: "running", Frames: 6, Keys: working},
	{Name: "review", Frames: 6, Keys: review},
	{Name: "looking-right", Stills: glances(0)},
	{Name: "looking-left", Stills: glances(180)},
}

// idle breathes and blinks, and is restful for hours: the head comes a frame after the chest.
var idle = []Key{
	{0, Pose{Tail: -6}},
	{1, Pose{Stretch: .008, HeadY: .6, Shut: .5, Tail: -4}},
	{2, Pose{Stretch: .022, HeadY: 1, Shut: 1, Tail: 2}},
	{3, Pose{Stretch: .03, HeadY: .5, Tail: 6}},
	{4, Pose{Stretch: .022, HeadY: -.5, Tail: 4}},
	{5, Pose{Stretch: .008, HeadY: -.7, Tail: -2}},
}

// run is contact, down, passing, up, and the same on the other foot. dir is 1 to the right.
// Feet and paws change sides in the mirror, the light and the scarf do not.
func run(dir float64) []Key {
	type step struct{ y, stretch, foreX, foreY, foreTilt, hindX, hindY, hindTilt, arm float64 }
	half := []step{
		{-2, .01, 26, 0, -22, -27, -7, 46, 17},
		{3, -.05, 14, -3, 0, -27, -16, 62, 12},
		{0, .01, -1, 0, 0, -6, -15, 28, 0},
		{-3, .04, -17, 1, 26, 18, -11, -16, -13},
	}
	const rise = 15 // the legs stretch: at rest they are tucked in
	var keys []Key
	for i := range 8 {
		s := half[i%4]
		fore := i / 4 // the foot that is put down in this half
		if dir < 0 {
			fore = 1 - fore
		}
		p := Pose{
			Y: s.y - rise, Stretch: s.stretch, Lean: 8 * dir, Turn: .75 * dir, HeadTurn: -.12 * dir, HeadTilt: -4 * dir, HeadX: 2 * dir,
			HeadY: half[(i+3)%4].y*.5 - s.y*.3, // a frame late
			Wind:  10 * dir, Tail: 14, Mouth: Open, Gape: .5,
		}
		p.Foot[fore] = Foot{s.foreX * dir, s.foreY + rise, s.foreTilt * dir}
		p.Foot[1-fore] = Foot{s.hindX * dir, s.hindY + rise, s.hindTilt * dir}
		for k := range 2 {
			swing := s.arm * dir
			if k == fore {
				swing = -swing // arms go against legs
			}
			swing *= side(k)
			if swing < 0 {
				swing *= 1.7 // in front of the body or behind it the way is longer
			}
			p.Paw[k] = Paw{X: swing, Y: -6 - math.Abs(s.arm)*.35, Tilt: -dir * 30}
		}
		keys = append(keys, Key{float64(i), p})
	}
	return keys
}

// waving ducks, throws the paw up past where it stays, and waves from the wrist.
var waving = []Key{
	{0, greet(Paw{X: 8, Y: -9, Tilt: -10, Palm: .3}, Pose{Stretch: -.05, Lean: -1.5, HeadTilt: -2, Blush: .1, Tail: -6})},
	{1, greet(Paw{X: 28, Y: -47, Tilt: 20, Palm: 1}, Pose{Stretch: .035, Lean: 3, HeadTilt: 6, HeadX: 5, Mouth: Open, Gape: .7, Blush: .2, Tail: 8})},
	{2, greet(Paw{X: 17, Y: -51, Tilt: -32, Palm: 1}, Pose{Stretch: .01, Lean: 3, HeadTilt: 5, HeadX: 5, Mouth: Open, Gape: .9, Blush: .2, Tail: 12})},
	{3, greet(Paw{X: 28, Y: -45, Tilt: 24, Palm: 1}, Pose{Stretch: .015, Lean: 2, HeadTilt: 3, HeadX: 4, Mouth: Open, Gape: .6, Blush: .15, Tail: 2})},
}

func greet(paw Paw, p Pose) Pose {
	p.Eyes, p.Paw[busy] = Happy, paw
	return p
}

// jumping crouches, shoots up, hangs with its arms in the air, lands low and settles.
var jumping = []Key{
	{0, leap(Paw{X: 4, Y: 4, Tilt: -20}, Foot{}, Pose{Stretch: -.14, HeadY: 3, Eyes: Squeezed, Ear: 6, Tail: -10})},
	{1, leap(Paw{X: 9, Y: -9, Tilt: 14}, Foot{X: -2, Y: 2, Tilt: -16}, Pose{Y: -24, Stretch: .12, HeadY: -1, LookY: -.6, Mouth: Open, Gape: .5, Tail: -14})},
	{2, leap(Paw{X: 21, Y: -34, Tilt: 10, Palm: 1}, Foot{X: 5, Y: -3, Tilt: 14}, Pose{Y: -40, Eyes: Happy, Mouth: Open, Gape: 1, Blush: .2, Holds: Sparkles, Prop: 1})},
	{3, leap(Paw{X: 14, Y: -14, Tilt: 6}, Foot{X: 3}, Pose{Stretch: -.1, HeadY: 4, Eyes: Happy, Mouth: Open, Gape: .6, Blush: .2, Tail: 14, Holds: Sparkles, Prop: .6, PropX: -31})},
	{4, leap(Paw{X: 3, Y: -3}, Foot{}, Pose{Stretch: .03, HeadY: -1, Blush: .1})},
}

// leap gives both sides the same: the right foot is given, the left one mirrors it.
func leap(paw Paw, right Foot, p Pose) Pose {
	p.Paw = [2]Paw{paw, paw}
	p.Foot = [2]Foot{{-right.X, right.Y, -right.Tilt}, right}
	return p
}

// failed is sorry with you: it sinks while a tear grows, sobs once as it drops, and
// sniffs. It never cheers up: the row loops while the error stands.
var failed = []Key{
	{0, sorry(Pose{Stretch: -.03, Sink: 4.5, HeadTilt: 3})},
	{3, sorry(Pose{Stretch: -.07, Sink: 8, HeadTilt: 5, Shut: .08, Prop: .85, PropX: 1})},
	{4, sorry(Pose{Stretch: -.05, Sink: 6, HeadTilt: 4, Shut: .12, Prop: 1, PropX: 6})},
	{5, sorry(Pose{Stretch: -.07, Sink: 8, HeadTilt: 4, Shut: .14, Prop: .95, PropX: 17})},
	{7, sorry(Pose{Stretch: -.02, Sink: 4, HeadTilt: 2, PropX: 41})},
}

func sorry(p Pose) Pose {
	p.Eyes, p.Mouth, p.Holds = Sad, Wobble, Tear
	p.LookX, p.LookY, p.Frown, p.Brow = -.1, .5, 16, 1.5
	p.HeadY, p.Ear, p.Tail = 4, 34+p.Sink*2, -16-p.Sink
	paw := Paw{X: -5, Y: 3, Tilt: 16}
	p.Paw = [2]Paw{paw, paw}
	return p
}

// waiting taps the glass between you, twice, and is polite about it.
var waiting = []Key{
	{0, ask(Paw{X: 21, Y: -27, Tilt: -14}, Pose{HeadTilt: -5, HeadX: -1})},
	{1, ask(Paw{X: 22, Y: -33, Tilt: -18}, Pose{HeadTilt: -7, HeadX: -1, Stretch: .012})},
	{2, ask(Paw{X: 21, Y: -29, Tilt: -10, Press: .42}, Pose{HeadTilt: -8, HeadX: -2, Stretch: .02, Prop: 1})},
	{3, ask(Paw{X: 22, Y: -33, Tilt: -18}, Pose{HeadTilt: -8, HeadX: -2, Stretch: .016})},
	{4, ask(Paw{X: 21, Y: -29, Tilt: -10, Press: .42}, Pose{HeadTilt: -7, HeadX: -2, Stretch: .02, Prop: 1})},
	{5, ask(Paw{X: 21, Y: -28, Tilt: -16}, Pose{HeadTilt: -6, HeadX: -1, Stretch: .006})},
}

func ask(paw Paw, p Pose) Pose {
	paw.Palm = 1
	p.Holds, p.Mouth, p.Paw[busy] = Tap, Oh, paw
	p.Brow, p.Frown, p.Lean, p.Ear = 3, 6, 1, -4
	return p
}

// working types on a tiny laptop; once it looks up to see whether you are still there.
var working = []Key{
	{0, typing(0, 1, Pose{})},
	{1, typing(1, 0, Pose{HeadY: .8})},
	{2, typing(0, 1, Pose{})},
	{3, typing(1, 0, Pose{HeadY: .8})},
	{4, typing(.3, .3, Pose{HeadY: -2, HeadTilt: 1, LookX: -.75, LookY: -.9, Brow: 2.5})},
	{5, typing(.8, .1, Pose{HeadY: .4})},
}

// typing has each paw so far off the keys, 0 to 1. A pose that does not say where it
// looks has its eyes on the screen.
func typing(left, right float64, p Pose) Pose {
	p.X, p.Turn, p.Lean, p.Stretch, p.Tail = -20, .75, 2, -.03, 34
	p.HeadTilt += 5
	p.HeadX += 3
	if p.LookY == 0 {
		p.LookX, p.LookY, p.Shut = .3, .7, .14
	}
	p.Mouth, p.Holds, p.Prop, p.PropX = Line, Laptop, left, left*1.3+right*.4
	p.Paw = [2]Paw{{X: -44, Y: 7 - 9*left, Tilt: 10 - 24*left}, {X: 14, Y: 4 - 9*right, Tilt: 10 - 24*right}}
	return p
}

// review looks you over through a glass, from left to right, and nods.
var review = []Key{
	{0, inspect(Pose{LookX: -.8, HeadX: -5, HeadTilt: -4, Mouth: Line})},
	{3, inspect(Pose{LookX: .8, HeadX: 4, HeadTilt: 4, Mouth: Line})},
	{4, inspect(Pose{LookX: .3, LookY: .5, HeadX: 1, HeadY: 5, HeadTilt: 1, Stretch: -.02, Mouth: Line})},
	{5, inspect(Pose{LookX: -.3, HeadX: -2, HeadY: -1.5, Stretch: .01})},
}

func inspect(p Pose) Pose {
	p.Holds, p.Shut, p.Brow = Magnifier, .12, 1.5
	p.Paw[busy].Tilt = -20
	return p
}
