package main

import (
	"image"
	"image/color"
	"math"
)

// A Pose is what an animator sets. Lengths are pixels, angles degrees, y down; the zero
// Pose stands at rest and looks at you. Of pairs, 0 is on the viewer's left.
type Pose struct {
	X, Y    float64 // the feet, from the middle of the floor
	Stretch float64 // of the height; the width makes up for it
	Lean    float64 // of the whole, about the feet
	Turn    float64 // of the face: -1 to the left, 1 to the right
	Sink    float64 // of the shoulders

	HeadX, HeadY, HeadTilt float64

	Shut         float64 // eyelids, 0 open to 1 closed
	LookX, LookY float64 // -1 to 1
	Brow, Frown  float64 // brows up; brows' inner ends up
	Gape         float64 // mouth, 0 to 1
	Blush        float64 // of the cheeks, beside the usual

	Paw  [2]Paw
	Foot [2]Foot
	Ear  [2]float64 // ears or leaves, outwards and down
	Tail float64    // up and outwards
	Wind float64    // streams ears, leaves and tail; against the way the friend runs

	Prop, PropX float64 // how far the prop has come; where it is

	Eyes  Eyes
	Mouth Mouth
	Holds Prop
}

// Paw is a hand's way from where it hangs, x outwards.
type Paw struct{ X, Y, Tilt, Palm, Press float64 }

// Foot is a foot's way from where it stands, x to the right.
type Foot struct{ X, Y, Tilt float64 }

// Eyes, Mouth and Prop are shapes: between two keys the nearer one shows.
type (
	Eyes  int
	Mouth int
	Prop  int
)

const (
	Round Eyes = iota
	Happy
	Sad
	Squeezed
)

const (
	Smile Mouth = iota
	Open
	Oh
	Line
	Wobble
)

const (
	Nothing Prop = iota
	Laptop
	Magnifier
	Tear
	Sparkles
	Tap
)

func (p *Pose) channels() []*float64 {
	all := []*float64{
		&p.X, &p.Y, &p.Stretch, &p.Lean, &p.Turn, &p.Sink, &p.HeadX, &p.HeadY, &p.HeadTilt,
		&p.Shut, &p.LookX, &p.LookY, &p.Brow, &p.Frown, &p.Gape, &p.Blush,
		&p.Ear[0], &p.Ear[1], &p.Tail, &p.Wind, &p.Prop, &p.PropX,
	}
	for i := range 2 {
		a, f := &p.Paw[i], &p.Foot[i]
		all = append(all, &a.X, &a.Y, &a.Tilt, &a.Palm, &a.Press, &f.X, &f.Y, &f.Tilt)
	}
	return all
}

// blend goes from a to b, slow at both ends.
func blend(a, b Pose, t float64) Pose {
	out := a
	if t >= .5 {
		out = b
	}
	t = t * t * (3 - 2*t)
	from, to := a.channels(), b.channels()
	for i, c := range out.channels() {
		*c = *from[i] + (*to[i]-*from[i])*t
	}
	return out
}

// A Key is a pose at a frame; a row's last key eases into its first.
type Key struct {
	At   float64
	Pose Pose
}

func sample(keys []Key, frames int, t float64) Pose {
	n := float64(frames)
	t = math.Mod(t+n, n)
	for i, k := range keys {
		next := keys[(i+1)%len(keys)]
		end := next.At
		if i == len(keys)-1 {
			end += n
		}
		if t >= k.At && t < end {
			return blend(k.Pose, next.Pose, (t-k.At)/(end-k.At))
		}
	}
	return keys[0].Pose
}

// follow is how ears, leaves and tail hang back at frame t: against the way the head
// goes now and went a frame ago, so that they swing on when it stops.
func follow(keys []Key, frames int, t float64) pt {
	at := func(t float64) pt {
		p := sample(keys, frames, t)
		lean := (p.Lean + p.HeadTilt*.5) * math.Pi / 180
		return pt{p.X + p.HeadX + 110*math.Sin(lean), p.Y + p.HeadY + p.Sink - 110*p.Stretch}
	}
	now, before, long := at(t), at(t-1), at(t-2)
	v := now.sub(before).mul(.55).add(before.sub(long).mul(.45)).mul(-1)
	return pt{min(max(v.x, -9), 9), min(max(v.y, -24), 24)}
}

// A costume is what makes the puppet one friend and no other.
type costume struct {
	id, name, description string

	fill, shade, line, accent    color.NRGBA
	eye, iris, cheek, pad, belly color.NRGBA

	headHalf   pt      // half its width and height
	headUp     float64 // its middle over the floor
	neck       float64 // below the middle of the head
	eyes       pt      // of the right eye, from the middle of the head
	eyeHalf    pt
	cheeks     pt
	mouth      float64
	shoulder   pt // of the right arm, from the middle of the floor
	hip        pt
	arm, leg   float64 // weight
	reach      float64 // of the arms; 1 for a long-armed friend
	foot       pt      // half its width and height
	toes       bool
	bareBrows  bool // has brows of its own, always seen
	behind     func(*puppet)
	torso      func(*puppet)
	head       func(*puppet)
	muzzle     func(*puppet)
	frontOfEye func(*puppet) // what hangs over the face
}

// A puppet is a costume in a pose, being drawn.
type puppet struct {
	*costume
	Pose
	swing       pt    // from follow
	skin0       shape // what the face is painted on
	root, skull affine
	parts       []part
}

func pose(c *costume, p Pose, swing pt) *image.NRGBA {
	swing.x -= p.Wind
	d := &puppet{costume: c, Pose: p, swing: swing}
	tall := 1 + p.Stretch
	d.root = affine{a: 1, d: 1, e: cellW / 2, f: floor}.move(p.X, p.Y).turn(p.Lean).scale(1/math.Sqrt(tall), tall)
	neck := c.headUp - c.neck
	d.skull = d.root.move(p.HeadX, p.HeadY+p.Sink-neck).turn(p.HeadTilt).move(0, -c.neck)
	d.draw()
	return paint(d.parts)
}

// floor is where the feet stand in the cell.
const floor = 198

// draw lists the parts from back to front.
func (d *puppet) draw() {
	far := 0 // the side away from the viewer
	if d.Turn > 0 {
		far = 1
	}
	turned := math.Abs(d.Turn) > .3
	d.behind(d)
	if turned && d.Holds == Nothing {
		d.drawArm(far)
	}
	if turned {
		d.drawLeg(far)
	}
	d.torso(d)
	if !turned {
		d.drawLeg(far)
	}
	d.drawLeg(1 - far)
	d.head(d)
	d.face()
	d.propBehind()
	if !turned || d.Holds != Nothing {
		d.drawArm(far)
	}
	d.propBetween()
	d.drawArm(1 - far)
	d.propFront()
}

func (d *puppet) add(p part) { d.parts = append(d.parts, p) }

// skin is a part in the friend's own colours.
func (d *puppet) skin(s shape, bulk float64) part {
	return part{shape: s, fill: d.fill, shade: d.shade, line: d.line, bulk: bulk, rim: rimLight}
}

var rimLight = fade(rgb(0xFFFFFF), .55)

// side is -1 for the viewer's left, 1 for the right.
func side(i int) float64 { return float64(2*i - 1) }

// hand gives shoulder and hand in the root's frame.
func (d *puppet) hand(i int) (from, to pt) {
	s, a := side(i), d.Paw[i]
	raised := min(max(-a.Y/45, 0), 1) // the shoulder goes up and out with the arm
	from = pt{d.onBody(s*d.shoulder.x) + s*5*raised, -d.shoulder.y + d.Sink - 3*raised}
	if i == 1 && d.Holds == Magnifier {
		return from, d.root.inverse().at(d.handle())
	}
	return from, from.add(pt{s * (7 + a.X*d.reach), 19 + a.Y*d.reach})
}

func (d *puppet) drawArm(i int) {
	s, a := side(i), d.Paw[i]
	from, hand := d.hand(i)
	way := hand.sub(from)
	bend := pt{-way.y, way.x}.mul(-s * .14) // elbows bulge outwards
	elbow := from.to(hand, .5).add(bend)
	sin, cos := math.Sincos((math.Atan2(way.y, way.x)*180/math.Pi + a.Tilt) * math.Pi / 180)
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

// beans are the pads of a palm whose fingers point up.
func (d *puppet) beans(m affine, show float64) {
	c := fade(d.pad, show)
	d.add(part{shape: blob(pt{0, -2.4}, pt{3.6, .6}, pt{3.2, 3.6}, pt{0, 3}, pt{-3.2, 3.6}, pt{-3.6, .6}).on(m), fill: c})
	for _, t := range []pt{{-5.2, -2.6}, {0, -5.6}, {5.2, -2.6}} {
		d.add(part{shape: ellipse(t.x, t.y, 1.6, 1.9).on(m), fill: c})
	}
}

func (d *puppet) drawLeg(i int) {
	s, f := side(i), d.Foot[i]
	near := 1 - math.Abs(d.Turn)
	hip := pt{d.onBody(s * d.hip.x), -d.hip.y}
	hip = d.root.at(hip)
	// Feet stay flat where they stand: the body leans and stretches over them.
	ankle := pt{cellW/2 + d.X + s*(d.hip.x+2)*near + f.X, floor - 3 - d.foot.y + d.Y + f.Y}
	shin := curve(hip, hip.to(ankle, .5).add(pt{d.Turn * 3, 0}), ankle)
	leg := d.skin(limb(shin, d.leg, d.leg*.92, d.leg*.78), 0)
	leg.rim.A, leg.shade.A = 0, 0
	leg.open = limb(shin[len(shin)/3:], d.leg, d.leg*.9, d.leg*.78)
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

// onBody does for the body what onFace does for the face.
func (d *puppet) onBody(x float64) float64 {
	r := d.shoulder.x * 1.25
	return r * math.Sin(math.Asin(x/r)+d.Turn*28*math.Pi/180)
}

// onFace carries a point of the face round the head as it turns; the second result is
// how much narrower things look there.
func (d *puppet) onFace(x, y float64) (pt, float64) {
	r := d.headHalf.x * 1.06
	at := math.Asin(x / r)
	to := at + d.Turn*24*math.Pi/180
	return pt{r * math.Sin(to), y}, math.Cos(to) / math.Cos(at)
}
