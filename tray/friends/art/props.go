package main

import "math"

var (
	white     = rgb(0xFFFFFF)
	water     = rgb(0x9BD4F5)
	waterLine = rgb(0x4E86AE)
	spark     = rgb(0xFFD66B)
	sparkLine = rgb(0xB9802F)
	metal     = rgb(0xDCD7E3)
	metalDark = rgb(0xB6AFC4)
	metalLine = rgb(0x675C77)
	screen    = rgb(0xD5F1FF)
)

// propBehind draws what the hands lie on.
func (d *puppet) propBehind() {
	if d.Holds == Laptop {
		d.laptop()
	}
}

// propBetween draws what only the near hand lies on.
func (d *puppet) propBetween() {
	if d.Holds == Magnifier {
		d.magnifier()
	}
}

// propFront draws what is nearer than the hands.
func (d *puppet) propFront() {
	switch d.Holds {
	case Tap:
		d.taps()
	case Tear:
		d.tear()
	case Sparkles:
		d.sparkles()
	}
}

// laptop stands on the floor with its screen towards the friend, who sits on its left.
// It is drawn in the floor's frame: it must not breathe.
func (d *puppet) laptop() {
	m := affine{a: 1, d: 1, e: cellW/2 + 8, f: floor - 3}
	quad := func(a, b, c, e pt) shape { return shape{pts: []pt{a, b, c, e}}.on(m) }
	front, back := pt{54, -5}, pt{43, -19}
	lid := pt{13, -43}
	glow := quad(back.add(pt{2, -3}), front.add(pt{-1, -4}), front.add(lid.mul(.93)).add(pt{-1.5, 1}), back.add(lid.mul(.95)).add(pt{2, 2}))
	d.add(part{shape: quad(pt{3, -5}, front, front.add(pt{0, 3.5}), pt{3, -1.5}), fill: metalDark, line: metalLine})
	d.add(part{shape: quad(pt{3, -5}, front, back, pt{-8, -19}), fill: metal, line: metalLine, cast: true})
	for row := range 3 {
		y := float64(row)*3.4 - 16
		x := 2 + float64(row)*2.7
		d.add(part{shape: limb([]pt{{x, y}, {x + 32, y}}, .9, .9, .9).on(m), fill: metalDark})
	}
	d.add(part{shape: quad(back, front, front.add(lid), back.add(lid)), fill: metalDark, line: metalLine})
	d.add(part{shape: glow, fill: mix(screen, rgb(0x8FD3F7), .4*d.Prop)})
	for i := range 4 { // lines of code, which grow with the typing
		t := .2 + .18*float64(i)
		a := back.to(front, .25).add(lid.mul(1 - t))
		b := back.to(front, .45+.3*math.Abs(math.Sin(d.PropX+float64(i)*1.9))).add(lid.mul(1 - t))
		d.add(part{shape: limb([]pt{a, b}, 1.1, 1.1, 1.1).on(m), fill: rgb(0x4F9BC9), clip: glow})
	}
}

// screenLight lies on the cheek that is nearer to the laptop.
func (d *puppet) screenLight() {
	c, w := d.onFace(d.cheekAt.x, d.cheekAt.y-2)
	d.add(part{shape: ellipse(c.x, c.y, 15*w, 15).on(d.skull), fill: fade(rgb(0xEAF8FF), .5+.15*d.Prop), soft: 5, clip: d.facing})
}

const lens = 16.0 // radius of the glass

// handle is where the hand holds the magnifier, in the cell.
func (d *puppet) handle() pt {
	c, _ := d.eyePlace(busy)
	return d.skull.at(c.add(pt{side(busy) * lens * 1.05, lens * 2.05}))
}

// magnifier stands before an eye; the hand that comes after it holds its handle.
func (d *puppet) magnifier() {
	c, _ := d.eyePlace(busy)
	m := d.skull.move(c.x, c.y)
	const r = lens
	handle := []pt{{side(busy) * r * .5, r * .92}, {side(busy) * r * 1.1, r * 2.2}}
	brown := rgb(0xA9714A)
	d.add(part{shape: limb(handle, 3, 3.6, 3.4).on(m), fill: brown, shade: rgb(0x8A5636), bulk: 2, line: rgb(0x5D3B28)})
	glass := ellipse(0, 0, r, r).on(m)
	d.add(part{shape: ellipse(0, 0, r+3.2, r+3.2).on(m), fill: rgb(0xF0C674), shade: rgb(0xD29B45), bulk: 4, line: rgb(0x7A5330), rim: fade(white, .6), cast: true})
	d.add(part{shape: glass, fill: mix(d.fill, rgb(0xE4F5FF), .55), shade: fade(rgb(0x9CCBE8), .6), bulk: 5})
	d.drawEye(busy, 1.62)
	d.add(part{shape: ink(arc(0, 0, r-3.4, r-3.4, 192, 252).pts, 2.8).on(m), fill: fade(white, .9)})
	d.add(part{shape: ink(arc(0, 0, r-3.4, r-3.4, 262, 276).pts, 2.8).on(m), fill: fade(white, .9)})
}

// tear grows under an eye and runs down: Prop is its size, PropX its way.
func (d *puppet) tear() {
	if d.Prop < .08 {
		return
	}
	c, _ := d.eyePlace(0)
	m := d.skull.move(c.x-2.5, c.y+d.eyeHalf.y+1+d.PropX).scale(d.Prop, d.Prop)
	drop := shape{pts: bezier(pt{0, -6}, pt{1.5, -2}, pt{5.4, .5}, pt{5.4, 4.4}, pt{5.4, 7.6}, pt{3, 9.8}, pt{0, 9.8}, pt{-3, 9.8}, pt{-5.4, 7.6}, pt{-5.4, 4.4}, pt{-5.4, .5}, pt{-1.5, -2}, pt{0, -6})}
	d.add(part{shape: drop.on(m), fill: water, shade: rgb(0x6FB6E3), bulk: 2, line: waterLine})
	d.add(part{shape: ellipse(-2, 3, 1.3, 2).on(m), fill: white})
}

// sparkles burst on both sides of the head, Prop wide.
func (d *puppet) sparkles() {
	for _, s := range []struct{ x, y, r float64 }{{-70, -18, 9}, {67, -28, 11}, {-79, 6, 5}, {79, -2, 5.5}} {
		r := s.r * d.Prop
		m := d.skull.move(s.x, s.y+d.PropX).turn(12 * d.Prop)
		star := shape{pts: bezier(pt{0, -r}, pt{r * .12, -r * .2}, pt{r * .2, -r * .12}, pt{r, 0}, pt{r * .2, r * .12}, pt{r * .12, r * .2}, pt{0, r},
			pt{-r * .12, r * .2}, pt{-r * .2, r * .12}, pt{-r, 0}, pt{-r * .2, -r * .12}, pt{-r * .12, -r * .2}, pt{0, -r})}
		d.add(part{shape: star.on(m), fill: spark, line: sparkLine})
	}
}

// taps are the marks of a paw's knock on the glass, beside the paw.
func (d *puppet) taps() {
	if d.Prop < .1 {
		return
	}
	_, o := d.hand(busy)
	m := d.root.move(o.x+side(busy), o.y-4).scale(side(busy), 1)
	for _, deg := range []float64{-62, -20, 22} {
		s, c := math.Sincos(deg * math.Pi / 180)
		from, to := 20.0, 20+8*d.Prop
		d.add(part{shape: limb([]pt{{from * c, from * s}, {to * c, to * s}}, 1.6, 1.5, 1).on(m), fill: spark, line: sparkLine})
	}
}
