package main

// ssak is a sprout: one pear from top to toe, with two leaves that swing.
var ssak = &costume{
	id:          "ssak",
	name:        "Ssak",
	description: "싹, a sprout with two leaves. Grows a little whenever the tests are green.",

	fill: rgb(0xA9D99B), shade: rgb(0x82BC78), line: rgb(0x3F6B45), accent: rgb(0x5FAE5B),
	eye: rgb(0x2E4030), iris: rgb(0x6FA070), cheek: rgb(0xFF8F8C), pad: rgb(0x7DBB74), belly: rgb(0xD3EFC4),

	headHalf: 41, headUp: 81, neck: 30,
	eyeAt: pt{21.5, 2}, eyeHalf: pt{7.2, 8.9}, cheekAt: pt{30.5, 14}, mouthAt: 9.5,
	shoulder: pt{32, 46}, hip: pt{15, 18}, arm: 6.8, reach: .9, leg: 8.5, foot: pt{12, 7},

	torso: ssakTorso, head: ssakLeaves, muzzle: ssakMuzzle,
}

// ssakTorso is the whole pear: the upper points go with the head, the lower ones with
// the body, and the waist bends between them.
func ssakTorso(d *puppet) {
	upper := []pt{{0, -36}, {21, -31}, {35.5, -13}, {39, 8}}
	lower := []pt{{42, -48 + d.Sink*.6}, {48, -25}, {40, -8}, {18, -3}, {0, -3}}
	var right, left []pt
	for _, p := range upper {
		right, left = append(right, d.skull.at(p)), append(left, d.skull.at(pt{-p.x, p.y}))
	}
	for _, p := range lower {
		right, left = append(right, d.root.at(p)), append(left, d.root.at(pt{-p.x, p.y}))
	}
	all := right
	for i := len(left) - 2; i > 0; i-- {
		all = append(all, left[i])
	}
	body := blob(all...)
	d.facing = body
	d.add(d.skin(body, 12))
	x, w := d.onChest(0)
	d.add(part{shape: ellipse(x*.6, -22, 24*w, 19).on(d.root), fill: fade(d.belly, .85), soft: 2.2, clip: body})
}

func ssakLeaves(d *puppet) {
	sway := d.swing.x*2.2 + d.Tail*.6
	base := d.skull.move(-d.facingTo()*5, -35+d.earDrop())
	stem := curve(pt{0, 1}, pt{-1, -4}, pt{0, -11})
	d.add(part{shape: limb(stem, 3.2, 2.6, 2.8).on(base.turn(sway * .5)), fill: d.accent, line: d.line})
	for i := range 2 {
		s := side(i)
		drop := d.Ear*(1.1+.3*float64(i)) + d.swing.y*1.8
		m := base.turn(sway*.5).move(0, -10).scale(s, 1).turn(sway*s*.8 + drop - 4 - 6*float64(i))
		long := 1.0 + .12*float64(i)
		leaf := shape{pts: bezier(pt{-1, 2}, pt{2, -13 * long}, pt{18 * long, -23 * long}, pt{40 * long, -15 * long}, pt{36 * long, 3}, pt{16 * long, 12}, pt{-1, 2})}.on(m)
		p := part{shape: leaf, fill: d.accent, shade: rgb(0x46924A), line: d.line, bulk: 4, rim: fade(white, .5)}
		if i == 0 {
			p.fill = mix(d.accent, rgb(0x8CCB6E), .35)
		}
		d.add(p)
		vein := curve(pt{4, 0}, pt{16 * long, -6}, pt{30 * long, -11 * long})
		d.add(part{shape: ink(vein, 2).on(m), fill: fade(rgb(0xD8F2B8), .85)})
	}
}

func ssakMuzzle(d *puppet) {
	c, w := d.onFace(0, d.mouthAt)
	d.lips(d.skull.move(c.x, c.y), w, false)
}
