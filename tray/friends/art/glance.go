package main

import "math"

// glances looks in eight directions, clockwise; the first is so many degrees from up.
func glances(from float64) []Pose {
	poses := make([]Pose, columns)
	for i := range poses {
		x, y := math.Sincos((from + 22.5*float64(i)) * math.Pi / 180)
		poses[i] = glance(x, -y)
	}
	return poses
}

// glance turns head and eyes, and nothing else, to a point of a circle, y down; its middle
// is where a friend looks at rest. The eyes go farther than the head. Upwards the brows rise
// and the ears fall back; downwards the lids follow.
func glance(x, y float64) Pose {
	up, down := max(-y, 0), max(y, 0)
	p := idle[0].Pose
	p.HeadX, p.HeadY, p.HeadTilt = 2.2*x, 2*y, 1.2*x
	p.HeadTurn, p.Nod = .36*x, .6*down-.8*up // a chin has less way down than a brow has up
	p.LookX, p.LookY, p.Shut, p.Brow = .9*x, .9*y, .14*down, 2.4*up
	p.Ear = 3 * y
	return p
}
