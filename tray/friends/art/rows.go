package main

import "math"

// A Row is one animation of the sheet: its key poses, one loop long.
type Row struct {
	Name   string
	Frames int
	Keys   []Key
}

// rows in the order of the sheet. Times are frames; what a pose leaves out is at rest.
var rows = []Row{
	{"idle", 6, idle},
	{"running-right", 8, run(1)},
	{"running-left", 8, run(-1)},
	{"waving", 4, waving},
	{"jumping", 5, jumping},
	{"failed", 8, failed},
	{"waiting", 6, waiting},
	{"running", 6, working},
	{"review", 6, review},
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
		{-2, .01, 22, 0, -20, -22, -6, 40, 15},
		{3, -.05, 13, -3, 0, -21, -14, 54, 10},
		{0, .01, -1, 0, 0, -4, -13, 24, 0},
		{-3, .04, -13, 1, 22, 14, -9, -12, -10},
	}
	const rise = 11 // the legs stretch: at rest they are tucked in
	var keys []Key
	for i := range 8 {
		s := half[i%4]
		near := 0 // the foot in front for this half
		if i >= 4 {
			near = 1
		}
		if dir < 0 {
			near = 1 - near
		}
		p := Pose{Y: s.y - rise, Stretch: s.stretch, Lean: 8 * dir, Turn: .75 * dir, HeadTilt: -4 * dir, HeadX: 2 * dir, Wind: 10 * dir, Tail: 14, Mouth: Open, Gape: .5}
		p.Foot[near] = Foot{s.foreX * dir, s.foreY + rise, s.foreTilt * dir}
		p.Foot[1-near] = Foot{s.hindX * dir, s.hindY + rise, s.hindTilt * dir}
		for k := range 2 {
			swing := s.arm * dir
			if k == near {
				swing = -swing // arms go against legs
			}
			p.Paw[k] = Paw{X: side(k) * swing, Y: -6 - math.Abs(s.arm)*.35, Tilt: -dir * 30}
		}
		p.HeadY = half[(i+3)%4].y*.5 - s.y*.3 // a frame late
		keys = append(keys, Key{float64(i), p})
	}
	return keys
}

var waving = []Key{
	{0, Pose{Stretch: -.05, Lean: -1.5, HeadTilt: -2, Eyes: Happy, Paw: [2]Paw{{X: 8, Y: -9, Tilt: -10, Palm: .3}, {}}, Blush: .1, Tail: -6}},
	{1, Pose{Stretch: .035, Lean: 3, HeadTilt: 6, HeadX: 5, Eyes: Happy, Mouth: Open, Gape: .7, Paw: [2]Paw{{X: 25, Y: -48, Tilt: 16, Palm: 1}, {X: 1}}, Blush: .2, Tail: 8}},
	{2, Pose{Stretch: .01, Lean: 3, HeadTilt: 5, HeadX: 5, Eyes: Happy, Mouth: Open, Gape: .9, Paw: [2]Paw{{X: 19, Y: -50, Tilt: -28, Palm: 1}, {X: 1}}, Blush: .2, Tail: 12}},
	{3, Pose{Stretch: .015, Lean: 2, HeadTilt: 3, HeadX: 4, Eyes: Happy, Mouth: Open, Gape: .6, Paw: [2]Paw{{X: 26, Y: -46, Tilt: 22, Palm: 1}, {X: 1}}, Blush: .15, Tail: 2}},
}

var jumping = []Key{
	{0, Pose{Stretch: -.14, HeadY: 3, Eyes: Squeezed, Paw: both(Paw{X: 4, Y: 4, Tilt: -20}), Ear: [2]float64{6, 6}, Tail: -10}},
	{1, Pose{Y: -24, Stretch: .12, HeadY: -1, LookY: -.6, Paw: both(Paw{X: 9, Y: -9, Tilt: 14}), Foot: [2]Foot{{X: 2, Y: 2, Tilt: 16}, {X: -2, Y: 2, Tilt: -16}}, Tail: -14, Mouth: Open, Gape: .5}},
	{2, Pose{Y: -40, Stretch: .0, HeadY: 0, Eyes: Happy, Mouth: Open, Gape: 1, Blush: .2, Paw: both(Paw{X: 21, Y: -34, Tilt: 10, Palm: 1}), Foot: [2]Foot{{X: -5, Y: -3, Tilt: -14}, {X: 5, Y: -3, Tilt: 14}}, Holds: Sparkles, Prop: 1}},
	{3, Pose{Stretch: -.1, HeadY: 4, Tail: 14, Eyes: Happy, Mouth: Open, Gape: .6, Blush: .2, Paw: both(Paw{X: 14, Y: -14, Tilt: 6}), Foot: [2]Foot{{X: -3}, {X: 3}}, Holds: Sparkles, Prop: .6, PropX: -20}},
	{4, Pose{Stretch: .03, HeadY: -1, Blush: .1, Paw: both(Paw{X: 3, Y: -3})}},
}

func both(p Paw) [2]Paw { return [2]Paw{p, p} }

// failed is sorry with you. It never looks up: the sheet loops while the error stands.
var failed = []Key{
	{0, sorry(Pose{Stretch: -0.03, Sink: 4.5, HeadTilt: 3})},
	{1, sorry(Pose{Stretch: -0.05, Sink: 6.5, HeadTilt: 4, Prop: .25})},
	{2, sorry(Pose{Stretch: -0.065, Sink: 7.5, HeadTilt: 5, Prop: .55, Shut: .1})},
	{3, sorry(Pose{Stretch: -0.07, Sink: 8, HeadTilt: 5, Prop: .85, PropX: 1, Shut: .08})},
	{4, sorry(Pose{Stretch: -0.05, Sink: 6, HeadTilt: 4, Prop: 1, PropX: 6, Shut: .12, Mouth: Wobble})},
	{5, sorry(Pose{Stretch: -0.07, Sink: 8, HeadTilt: 4, Prop: .95, PropX: 17, Shut: .14, Mouth: Wobble})},
	{6, sorry(Pose{Stretch: -0.06, Sink: 7, HeadTilt: 3, Prop: .5, PropX: 29, Shut: .08, Mouth: Wobble})},
	{7, sorry(Pose{Stretch: -0.02, Sink: 4, HeadTilt: 2, PropX: 32})},
}

func sorry(p Pose) Pose {
	p.Eyes, p.Holds = Sad, Tear
	if p.Mouth == Smile {
		p.Mouth = Wobble
	}
	p.LookY, p.LookX, p.Frown, p.Brow = .5, -.1, 16, 1.5
	p.Ear = [2]float64{34 + p.Sink*2, 34 + p.Sink*2}
	p.Tail = -16 - p.Sink
	p.HeadY += 4
	p.Paw = both(Paw{X: -5, Y: 3, Tilt: 16})
	return p
}

// waiting taps the glass between you, twice, and is polite about it.
var waiting = []Key{
	{0, ask(Pose{HeadTilt: -5, HeadX: -1, Paw: [2]Paw{{X: 21, Y: -27, Tilt: -14}, {}}})},
	{1, ask(Pose{HeadTilt: -7, HeadX: -1, Stretch: .012, Paw: [2]Paw{{X: 22, Y: -33, Tilt: -18}, {}}})},
	{2, ask(Pose{HeadTilt: -8, HeadX: -2, Stretch: .02, Prop: 1, Paw: [2]Paw{{X: 21, Y: -29, Tilt: -10, Press: .42}, {}}})},
	{3, ask(Pose{HeadTilt: -8, HeadX: -2, Stretch: .016, Paw: [2]Paw{{X: 22, Y: -33, Tilt: -18}, {}}})},
	{4, ask(Pose{HeadTilt: -7, HeadX: -2, Stretch: .02, Prop: 1, Paw: [2]Paw{{X: 21, Y: -29, Tilt: -10, Press: .42}, {}}})},
	{5, ask(Pose{HeadTilt: -6, HeadX: -1, Stretch: .006, Paw: [2]Paw{{X: 21, Y: -28, Tilt: -16}, {}}})},
}

func ask(p Pose) Pose {
	p.Holds, p.Mouth = Tap, Oh
	p.Brow, p.Frown = 3, 6
	p.Lean = 1
	p.Paw[busy].Palm = 1
	p.Ear = [2]float64{-4, -4}
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

func typing(left, right float64, p Pose) Pose {
	p.X, p.Turn, p.Holds, p.Lean = -20, .75, Laptop, 2
	p.HeadTilt += 5
	p.HeadX += 3
	p.Prop, p.Tail = left, 34
	p.PropX = left*1.3 + right*.4
	if p.LookY == 0 {
		p.LookX, p.LookY, p.Shut = .3, .7, .14
	}
	p.Stretch = -.03
	p.Paw[0] = Paw{X: -44, Y: 7 - 9*left, Tilt: 10 - 24*left}
	p.Paw[1] = Paw{X: 14, Y: 4 - 9*right, Tilt: 10 - 24*right}
	p.Mouth = Line
	return p
}

// review looks you over through a glass, from side to side, and nods.
var review = []Key{
	{0, inspect(Pose{LookX: .8, HeadX: 5, HeadTilt: 4})},
	{1, inspect(Pose{LookX: .35, HeadX: 2, HeadTilt: 2})},
	{2, inspect(Pose{LookX: -.35, HeadX: -2, HeadTilt: -2})},
	{3, inspect(Pose{LookX: -.8, HeadX: -4, HeadTilt: -4})},
	{4, inspect(Pose{LookX: -.3, LookY: .5, HeadX: -1, HeadY: 5, HeadTilt: -1, Stretch: -.02})},
	{5, inspect(Pose{LookX: .3, HeadX: 2, HeadY: -1.5, Mouth: Smile, Stretch: .01})},
}

func inspect(p Pose) Pose {
	p.Holds = Magnifier
	p.Shut = .12
	if p.HeadY > -1 {
		p.Mouth = Line
	}
	p.Brow = 1.5
	p.Paw[busy].Tilt = -20
	return p
}
