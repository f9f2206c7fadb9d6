package main

import "math"

// hand gives shoulder and hand in the root's frame.
func (d *puppet) hand(i int) (from, to pt) {
	s, a := side(i), d.Paw[i]
	up := raised(-a.Y * d.reach) // a raised arm takes the shoulder with it
	from = pt{d.onBody(s*d.shoulder.x) + s*5*up, -d.shoulder.y + d.Sink - 3*up}
	if i == d.far() && d.turned() && d.Holds == Nothing {
		from.x *= .75 // the chest covers it, and must not bulge
	}
	if i == busy && d.Holds == Magnifier {
		return from, d.root.inverse().at(d.handle())
	}
	return from, from.add(pt{s * (7 + a.X*d.reach), 19 + a.Y*d.reach})
}

// drawArm draws an arm as one limb from the shoulder to the tip of the hand. The inner
// line leaves the shoulder out, so that the arm grows out of the body.
func (d *puppet) drawArm(i int) {
	s, a := side(i), d.Paw[i]
	from, hand := d.hand(i)
	way := hand.sub(from)
	bulge := .14 - .4*raised(19-way.y) // elbows stand out, and hang down from a raised hand
	bend := pt{-way.y, way.x}.mul(-s * bulge)
	elbow := from.to(hand, .5).add(bend)
	sin, cos := math.Sincos((math.Atan2(way.y, way.x)*180/math.Pi + s*a.Tilt) * math.Pi / 180)
	tip := hand.add(pt{cos, sin}.mul(4))
	w := d.arm * (1 + a.Press)
	spine := curve(from, elbow, hand, tip)
	p := d.skin(limb(spine, d.arm*.84, d.arm*.9, w*1.15).on(d.root), 4.5)
	p.rim.A = 0 // it would show where the shoulder grows out of the body
	p.open = limb(spine[len(spine)/4:], d.arm*.8, d.arm*.92, w*1.15).on(d.root)
	p.cast = true
	d.add(p)
	if a.Palm > 0 {
		d.beans(d.root.move(tip.x, tip.y).turn(math.Atan2(cos, -sin)*180/math.Pi).scale(w/8.2, w/8.2), a.Palm)
	}
}

// raised tells how high a hand is that is dy above where it hangs: 1 is at the cheek.
func raised(dy float64) float64 { return min(max(dy/45, 0), 1) }

// beans are the pads of a palm whose fingers point up.
func (d *puppet) beans(m affine, show float64) {
	c := fade(d.pad, show)
	d.add(part{shape: blob(pt{0, -2.4}, pt{3.6, .6}, pt{3.2, 3.6}, pt{0, 3}, pt{-3.2, 3.6}, pt{-3.6, .6}).on(m), fill: c})
	for _, t := range []pt{{-5.2, -2.6}, {0, -5.6}, {5.2, -2.6}} {
		d.add(part{shape: ellipse(t.x, t.y, 1.6, 1.9).on(m), fill: c})
	}
}

// drawLeg draws a foot, and the leg where it is stretched enough to be seen. Feet stay flat
// where they stand: the body leans and stretches over them.
func (d *puppet) drawLeg(i int) {
	s, f := side(i), d.Foot[i]
	apart := 1 - math.Abs(d.Turn) // seen from the side, feet stand in one line
	hip := d.root.at(pt{d.onBody(s * d.hip.x), -d.hip.y})
	ankle := pt{cellW/2 + d.X + s*(d.hip.x+2)*apart + f.X, floor - 3 - d.foot.y + d.Y + f.Y}
	shin := curve(hip, hip.to(ankle, .5).add(pt{d.Turn * 3, 0}), ankle)
	leg := d.skin(limb(shin, d.leg*.6, d.leg, d.leg*.78), 0)
	leg.rim.A, leg.shade.A = 0, 0
	leg.open = limb(shin[len(shin)/3:], d.leg*.9, d.leg*.98, d.leg*.78)
	if ankle.sub(hip).len() > 16 {
		d.add(leg)
	}
	foot := affine{a: 1, d: 1, e: ankle.x + d.Turn*4, f: ankle.y}.turn(f.Tilt)
	p := d.skin(blob(pt{-d.foot.x, d.foot.y * .3}, pt{-d.foot.x * .72, -d.foot.y * .72}, pt{0, -d.foot.y}, pt{d.foot.x * .72, -d.foot.y * .72},
		pt{d.foot.x, d.foot.y * .3}, pt{d.foot.x * .6, d.foot.y}, pt{-d.foot.x * .6, d.foot.y}).on(foot), 3.5)
	d.add(p)
	if d.toes {
		for _, x := range []float64{-.28, .28} {
			x = x*d.foot.x + d.Turn*3
			d.add(part{shape: ink(curve(pt{x, d.foot.y * .05}, pt{x + .3, d.foot.y * .75}), 1.7).on(foot), fill: mix(d.line, d.fill, .15)})
		}
	}
}
