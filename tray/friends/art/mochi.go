package main

// mochi is a rice-cake cat: soft, heavy at the cheeks, with a curl in its tail.
var mochi = &costume{
	id:          "mochi",
	name:        "Mochi",
	description: "모찌, a rice-cake cat with a bell. Soft all over, and a little proud of its tail.",

	fill: rgb(0xFFF6E9), shade: rgb(0xF1DFC9), line: rgb(0x8A6A57), accent: rgb(0xF7A8B8),
	eye: rgb(0x4A3029), iris: rgb(0xA8746F), cheek: rgb(0xF9A9B4), pad: rgb(0xF7A8B8),

	headHalf: 53, headUp: 90, neck: 26,
	eyeAt: pt{26.5, 4.5}, eyeHalf: pt{7.3, 9}, cheekAt: pt{37.5, 16.5}, mouthAt: 11.5,
	shoulder: pt{23, 46}, hip: pt{15, 22}, arm: 7.9, reach: 1, leg: 10, foot: pt{13, 7.5}, toes: true,

	behind: mochiTail, torso: mochiTorso, head: mochiHead, muzzle: mochiMuzzle,
}

func mochiTail(d *puppet) {
	s := 1.0
	if d.Turn > .3 {
		s = -1 // it trails
	}
	bend := max(d.Tail+min(d.swing.y*.8, 16), -9) // no lower: it would lie under the floor
	m := d.root.move(s*24, -16).turn(-s * bend)
	if s < 0 {
		m = m.scale(-1, 1)
	}
	sway := (d.swing.x*s - d.swing.y*.3) * .5
	spine := curve(pt{-4, 2}, pt{16, 3}, pt{29 + sway*.3, -9}, pt{30 + sway, -26}, pt{37 + sway*1.3, -36}, pt{46 + sway*1.5, -31}, pt{42.5 + sway*1.5, -23.5})
	d.add(d.skin(limb(spine, 7, 6.4, 5).on(m), 3.5))
}

func mochiTorso(d *puppet) {
	body := symmetric(pt{0, -64}, pt{20, -60}, pt{29, -44}, pt{35.5, -24}, pt{33, -9}, pt{18, -4}, pt{0, -4}).on(d.root)
	d.add(d.skin(body, 9))
	d.collar()
}

// collar is a ribbon under the chin with the bell on it.
func (d *puppet) collar() {
	y := -53 + d.Sink
	x, _ := d.onChest(0)
	x *= .55
	band := curve(pt{-26, y - 5}, pt{x * .5, y + 3}, pt{26, y - 5})
	d.add(part{shape: limb(band, 3, 3.4, 3).on(d.root), fill: d.accent, shade: fade(rgb(0xD97F93), .8), bulk: 2, line: rgb(0x8F4A55)})
	m := d.root.move(x, y+8).turn(d.swing.x * 1.2)
	gold := rgb(0xF6C65B)
	d.add(part{shape: ellipse(0, 0, 6.4, 6.2).on(m), fill: gold, shade: rgb(0xDE9F3C), bulk: 2.6, rim: fade(white, .8), line: rgb(0x8A5A2B), cast: true})
	dark := rgb(0x8A5A2B)
	d.add(part{shape: ink(curve(pt{-5.6, -.6}, pt{0, .6}, pt{5.6, -.6}), 1.6).on(m), fill: dark})
	d.add(part{shape: ellipse(0, 2.6, 1.4, 1.4).on(m), fill: dark})
}

func mochiHead(d *puppet) {
	for i := range 2 {
		d.mochiEar(i)
	}
	head := symmetric(pt{0, -37}, pt{22, -33.5}, pt{41, -20}, pt{52, 3}, pt{47, 22}, pt{27, 33}, pt{0, 35})
	d.facing = head.on(d.skull)
	p := d.skin(d.facing, 10)
	p.cast = true
	d.add(p)
}

// mochiEar folds back and out with the swing.
func (d *puppet) mochiEar(i int) {
	s := side(i)
	back := d.swing.y*1.1 + s*d.swing.x*1.7
	m := d.skull.move(s*29-d.facingTo()*6, -26+d.earDrop()).turn(s*(d.Ear+min(max(back, -24), 30)) + d.HeadTurn*16)
	ear := bezier(pt{-18, 8}, pt{-15, -7}, pt{-6, -18}, pt{4, -25}, pt{7, -26.5}, pt{9.5, -25.5}, pt{10, -22}, pt{13, -10}, pt{15, 0}, pt{14, 14})
	inner := bezier(pt{-9, 8}, pt{-8, -3}, pt{-3, -11}, pt{4.5, -17}, pt{8, -10}, pt{9.5, -4}, pt{9, 10})
	for _, pts := range [][]pt{ear, inner} {
		for k := range pts {
			pts[k].x *= s
		}
	}
	d.add(d.skin(shape{pts: ear}.on(m), 4))
	d.add(part{shape: shape{pts: inner}.on(m), fill: d.accent, soft: .9})
}

func mochiMuzzle(d *puppet) {
	c, w := d.onFace(0, d.mouthAt)
	m := d.skull.move(c.x, c.y)
	d.lips(m.move(0, 3), w, true)
	nose := blob(pt{-2.6 * w, -1.4}, pt{0, -1.9}, pt{2.6 * w, -1.4}, pt{0, 1.6})
	d.add(part{shape: nose.on(m), fill: rgb(0xE8808F)})
}
