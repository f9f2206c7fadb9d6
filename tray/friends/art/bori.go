package main

import "math"

// bori is a barley puppy: ears that hang past the cheeks, a blue scarf, a stub of a tail.
var bori = &costume{
	id:          "bori",
	name:        "Bori",
	description: "보리, a barley puppy in a blue scarf. Believes every build will pass.",

	fill: rgb(0xE9BE82), shade: rgb(0xCF9A5B), line: rgb(0x6E4A2C), accent: rgb(0x4F86C6),
	eye: rgb(0x3B2416), iris: rgb(0x8A5A3C), cheek: rgb(0xF08F7C), pad: rgb(0x9A6440), belly: rgb(0xFBEBD2),

	headHalf: 48, headUp: 92, neck: 27,
	eyeAt: pt{23.5, 4}, eyeHalf: pt{7.2, 8.8}, cheekAt: pt{34.5, 17}, mouthAt: 13,
	shoulder: pt{23, 47}, hip: pt{15, 22}, arm: 8.2, reach: 1, leg: 10, foot: pt{13.5, 8}, toes: true, ownBrows: true,

	behind: boriTail, torso: boriTorso, head: boriHead, muzzle: boriMuzzle, over: boriEars,
}

var (
	earBrown  = rgb(0xB97E48)
	earShade  = rgb(0x9C6638)
	scarfDark = rgb(0x386599)
	scarfLine = rgb(0x2E4A73)
)

func boriTail(d *puppet) {
	s := 1.0
	if d.Turn > .3 {
		s = -1
	}
	out := math.Abs(d.Turn) // from the side it is seen whole
	m := d.root.move(s*(29+4*out), -27).scale(s, 1).turn(-20 + 45*out - d.Tail*1.6 - d.swing.y*.5)
	d.add(d.skin(limb(curve(pt{-6, 4}, pt{7, 1}, pt{17, -6}, pt{21, -15}), 8, 7.5, 6).on(m), 3.5))
}

func boriTorso(d *puppet) {
	body := symmetric(pt{0, -66}, pt{20, -61}, pt{28, -46}, pt{33, -26}, pt{31, -10}, pt{17, -4}, pt{0, -4}).on(d.root)
	d.add(d.skin(body, 9))
	x, w := d.onChest(0)
	d.add(part{shape: ellipse(x*.7, -21, 19*w, 20).on(d.root), fill: d.belly, soft: 1.2, clip: body})
	d.scarf()
}

// scarf goes round the neck; its knot and ends are on Bori's left.
func (d *puppet) scarf() {
	y := -53 + d.Sink
	cloth := func(s shape, bulk float64) part {
		return part{shape: s.on(d.root), fill: d.accent, shade: scarfDark, bulk: bulk, rim: fade(white, .35), line: scarfLine}
	}
	x, w := d.onChest(13)
	k := pt{x*.82 - d.Turn*2, y + 5}
	for i, long := range []float64{23, 18} {
		f := float64(i)*26 - 14 + d.swing.x*2.2
		m := affine{a: 1, d: 1, e: k.x, f: k.y}.turn(-f).scale(max(w, .7), 1)
		end := shape{pts: bezier(pt{-4, 0}, pt{-6, long * .5}, pt{-8, long * .7}, pt{-7.5, long}, pt{-3, long + 2.5}, pt{3, long + 2.5}, pt{7.5, long - 1}, pt{7, long * .7}, pt{5, long * .4}, pt{4, 0})}.on(m)
		p := cloth(end, 3)
		p.cast = true
		d.add(p)
		stripe := curve(pt{-9, long - 5}, pt{0, long - 3.5}, pt{9, long - 6})
		d.add(part{shape: limb(stripe, 1.3, 1.3, 1.3).on(m).on(d.root), fill: rgb(0xF4EBDD), clip: end.on(d.root)})
	}
	band := curve(pt{-27, y - 6}, pt{-14, y + 1}, pt{0, y + 3.5}, pt{14, y + 1}, pt{27, y - 6})
	d.add(cloth(limb(band, 6.2, 7, 6.2), 4))
	p := cloth(blob(pt{-6.5, -5.5}, pt{1, -7}, pt{7, -4}, pt{6.5, 4}, pt{0, 6}, pt{-6.5, 4}).on(affine{a: 1, d: 1, e: k.x, f: k.y - 1}), 3)
	p.cast = true
	d.add(p)
}

func boriHead(d *puppet) {
	d.boriEar(0, true)
	d.boriEar(1, true)
	head := symmetric(pt{0, -37}, pt{23, -33}, pt{40, -18}, pt{47, 3}, pt{43, 22}, pt{25, 34}, pt{0, 37}).on(d.skull)
	d.facing = head
	p := d.skin(head, 10)
	p.cast = true
	d.add(p)
	blaze, w := d.onFace(0, 0) // its lower end: the upper one stays on the crown
	d.add(part{shape: blob(pt{0, -40}, pt{6, -30}, pt{5, -10}, pt{0, 0}, pt{-5, -10}, pt{-6, -30}).on(d.skull.move(blaze.x, -38).scale(w, 1+blaze.y/40).move(0, 40)), fill: fade(d.belly, .9), soft: .8, clip: head})
	c, w := d.onFace(0, 20)
	d.add(part{shape: blob(pt{0, -15}, pt{12, -10}, pt{21, 1}, pt{17, 13}, pt{0, 17}, pt{-17, 13}, pt{-21, 1}, pt{-12, -10}).on(d.skull.move(c.x, c.y).scale(w, 1)), fill: d.belly, soft: 1, clip: head})
	for i := range 2 {
		c, w := d.onFace(side(i)*19, -12-d.Brow)
		m := d.skull.move(c.x, c.y+d.LookY).turn(side(i) * (d.Frown + 8))
		d.add(part{shape: ellipse(0, 0, 5*w, 3.2).on(m), fill: d.belly, soft: .6})
	}
}

// boriEars hang from the top of the head and lie over its sides.
func boriEars(d *puppet) {
	d.boriEar(0, false)
	d.boriEar(1, false)
}

// boriEar draws one ear if it belongs behind the head, or before it: when the head turns, the far
// one goes behind.
func (d *puppet) boriEar(i int, behind bool) {
	s := side(i)
	turn := d.facingTo()
	away := max(turn*s, 0)
	if behind != (away > .5) {
		return
	}
	limp := min(d.Ear/45, 1) // at rest they stand off a little
	lift := 9*(1-limp) + d.swing.y*-1.3 + s*d.swing.x*1.5
	x := s*(34.5+away*8) + max(-turn*s, 0)*s*-5
	m := d.skull.move(x, -25+5*limp+d.earDrop()).scale(s*(1-away*.3), 1).turn(min(max(-lift, -95), 3))
	ear := bezier(pt{-9, -6}, pt{0, -12}, pt{12, -10}, pt{19, -2}, pt{27, 8}, pt{31, 24}, pt{29, 38}, pt{27.5, 48}, pt{17, 51}, pt{11, 43}, pt{4, 33}, pt{1, 14}, pt{-9, -6})
	p := part{shape: shape{pts: ear}.on(m), fill: earBrown, shade: earShade, line: d.line, bulk: 5, rim: fade(white, .35), cast: !behind}
	d.add(p)
}

func boriMuzzle(d *puppet) {
	c, w := d.onFace(0, d.mouthAt)
	m := d.skull.move(c.x, c.y)
	d.lips(m.move(0, 6), w, true)
	nose := blob(pt{-5.4 * w, -2.4}, pt{0, -3.8}, pt{5.4 * w, -2.4}, pt{3.4 * w, 2.2}, pt{0, 3.8}, pt{-3.4 * w, 2.2})
	d.add(part{shape: nose.on(m), fill: d.eye})
	d.add(part{shape: ellipse(-1.6*w, -1.6, 1.9*w, .9).on(m), fill: fade(white, .75)})
}
