package main

import "math"

// face draws cheeks, eyes, brows and mouth on the head.
func (d *puppet) face() {
	for i := range 2 {
		c, w := d.onFace(side(i)*d.cheekAt.x, d.cheekAt.y)
		d.add(part{shape: ellipse(c.x, c.y, 7.5*w, 4.4).on(d.skull), fill: fade(d.cheek, .62+d.Blush), soft: 1.6, clip: d.facing})
	}
	if d.Holds == Laptop {
		d.screenLight()
	}
	d.muzzle(d)
	for i := range 2 {
		if d.Holds != Magnifier || i != busy {
			d.drawEye(i, 1)
		}
		d.drawBrow(i)
	}
	if d.over != nil {
		d.over(d)
	}
}

// eyePlace is the middle of an eye, from the middle of the head, and its narrowing.
func (d *puppet) eyePlace(i int) (pt, float64) {
	c, w := d.onFace(side(i)*d.eyeAt.x, d.eyeAt.y)
	if d.Holds == Magnifier && i == busy {
		c.x += side(busy) * 2.5 // or the glass would cover the mouth
	}
	return c.add(pt{d.LookX * 4, d.LookY * 3}), w
}

func (d *puppet) drawEye(i int, size float64) {
	c, narrow := d.eyePlace(i)
	m := d.skull.move(c.x, c.y).scale(size, size)
	w, h, s := d.eyeHalf.x*min(narrow, 1), d.eyeHalf.y, side(i)
	line := func(weight float64, pts ...pt) {
		d.add(part{shape: ink(curve(pts...), weight*size).on(m), fill: d.eye})
	}
	switch {
	case d.Eyes == Happy:
		line(3.1, pt{-w * 1.05, h * .3}, pt{-w * .6, -h * .28}, pt{0, -h * .46}, pt{w * .6, -h * .28}, pt{w * 1.05, h * .3})
	case d.Eyes == Squeezed:
		line(3, pt{s * w, -h * .5}, pt{-s * w * .8, 0}, pt{s * w, h * .5})
	case d.Shut > .75:
		line(3, pt{-w * 1.1, 0}, pt{-w * .55, h * .3}, pt{0, h * .4}, pt{w * .55, h * .3}, pt{w * 1.1, 0})
	default:
		d.openEye(m, w, h, s)
	}
}

// openEye is the eye less what the lid covers. The lid is an arch of the eye's own curve:
// a flat one would scowl.
func (d *puppet) openEye(m affine, w, h, s float64) {
	fall, tilt := 2*h*d.Shut, 0.0
	if d.Eyes == Sad {
		fall, tilt = fall+h*.16, s*16 // outer end down
	}
	arch := affine{a: 1, d: 1}.move(0, fall).turn(tilt)
	lid := ellipse(0, 0, w*1.25, h*1.06).on(arch).on(m)
	eye := ellipse(0, 0, w, h)
	add := func(p part) {
		p.shape = p.shape.on(m)
		p.clip = lid
		d.add(p)
	}
	glint := pt{d.LookX * w * .12, d.LookY * h * .12} // the light turns with the eye
	add(part{shape: eye, fill: d.eye})
	add(part{shape: ellipse(glint.x, h*.52+glint.y*.5, w*.62, h*.34), fill: d.iris, soft: 1})
	big := 1.0
	if d.Eyes == Sad {
		big = 1.25
		add(part{shape: ellipse(-w*.1, h*.62, w*.5, h*.16), fill: fade(white, .75)})
	}
	add(part{shape: ellipse(-w*.3+glint.x, -h*.36+glint.y, w*.36*big, h*.3*big), fill: white})
	add(part{shape: ellipse(w*.36+glint.x, h*.36+glint.y, w*.17*big, h*.14*big), fill: fade(white, .9)})
	if d.Shut > .15 || d.Eyes == Sad {
		edge := arc(0, 0, w*1.25, h*1.04, 205, 335).on(arch)
		d.add(part{shape: ink(edge.pts, 2.5).on(m), fill: d.eye})
	}
}

func (d *puppet) drawBrow(i int) {
	show := max(math.Abs(d.Brow)/3, math.Abs(d.Frown)/8)
	if d.ownBrows || show < .1 {
		return
	}
	c, w := d.eyePlace(i)
	m := d.skull.move(c.x, c.y-d.eyeHalf.y-5.5-d.Brow).turn(side(i) * d.Frown)
	d.add(part{shape: ink(curve(pt{-5 * w, .8}, pt{0, -.8}, pt{5 * w, .8}), 2.4).on(m), fill: fade(d.line, show)})
}

// lips draws the mouth under (0, 0); cat asks for the two-bowed upper lip.
func (d *puppet) lips(m affine, narrow float64, cat bool) {
	m = m.scale(narrow, 1)
	line := func(pts ...pt) { d.add(part{shape: ink(curve(pts...), 2.3).on(m), fill: d.eye}) }
	switch d.Mouth {
	case Oh:
		d.add(part{shape: ellipse(0, 2.6, 2.6, 3.2).on(m), fill: mouthInside})
	case Line:
		line(pt{-3.6, .9}, pt{0, 1.8}, pt{3.6, .9})
	case Wobble:
		line(pt{-5.4, 3}, pt{-3.4, .9}, pt{-1.2, 2.2}, pt{1.2, .9}, pt{3.4, 2.2}, pt{5.4, 3.2})
	case Open:
		d.cavity(m, 5, 2.4+7.2*d.Gape)
		if !cat {
			return
		}
		fallthrough
	default:
		if !cat {
			line(pt{-5.2, -.6}, pt{-2.8, 1.7}, pt{0, 2.4}, pt{2.8, 1.7}, pt{5.2, -.6})
			return
		}
		for _, s := range []float64{-1, 1} {
			line(pt{s * 6.6, -.6}, pt{s * 5.4, 1.8}, pt{s * 3, 2.6}, pt{s * .8, 1.6}, pt{0, -1})
		}
	}
}

var (
	mouthInside = rgb(0x8C3B42)
	tongue      = rgb(0xF58B95)
)

// cavity is an open mouth, wide above and round below, with a tongue in it.
func (d *puppet) cavity(m affine, w, h float64) {
	hole := blob(pt{-w, 1.2}, pt{0, .8}, pt{w, 1.2}, pt{w * .78, h * .68}, pt{0, h}, pt{-w * .78, h * .68}).on(m)
	d.add(part{shape: hole, fill: mouthInside})
	d.add(part{shape: ellipse(0, h*.86, w*.66, h*.36).on(m), fill: tongue, clip: hole})
	d.add(part{shape: hole.stroke(.95), fill: d.eye})
}
