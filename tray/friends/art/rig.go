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
	HeadTurn, Nod          float64 // of the head alone, beside Turn; -1 up, 1 down

	Shut         float64 // eyelids, 0 open to 1 closed
	LookX, LookY float64 // -1 to 1
	Brow, Frown  float64 // brows up; brows' inner ends up
	Gape         float64 // mouth, 0 to 1
	Blush        float64 // of the cheeks, beside the usual

	Paw  [2]Paw
	Foot [2]Foot
	Ear  float64 // ears or leaves, outwards and down
	Tail float64 // up and outwards
	Wind float64 // of running, to the right: ears, leaves and tail stream against it

	Prop, PropX float64 // how far the prop has come; where it is

	Eyes  Eyes
	Mouth Mouth
	Holds Prop
}

// Paw is a hand's way from where it hangs, x outwards; the wrist tilts down when the arm
// points out.
type Paw struct {
	X, Y, Tilt float64
	Palm       float64 // how well its pads are seen
	Press      float64 // against the glass: how much larger it is
}

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
		&p.X, &p.Y, &p.Stretch, &p.Lean, &p.Turn, &p.Sink, &p.HeadX, &p.HeadY, &p.HeadTilt, &p.HeadTurn, &p.Nod,
		&p.Shut, &p.LookX, &p.LookY, &p.Brow, &p.Frown, &p.Gape, &p.Blush,
		&p.Ear, &p.Tail, &p.Wind, &p.Prop, &p.PropX,
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

// sample is the pose at frame t; times before the first frame are those of the loop before.
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

// A costume is what makes the puppet one friend and no other. Places on the head count
// from its middle, those on the body from the middle of the floor, y down.
type costume struct {
	id, name, description string

	fill, shade, line, accent    color.NRGBA
	eye, iris, cheek, pad, belly color.NRGBA

	headHalf float64 // half its width
	headUp   float64 // its middle over the floor
	neck     float64 // the point it tilts about, below its middle
	eyeAt    pt      // the right one
	eyeHalf  pt
	cheekAt  pt // the right one
	mouthAt  float64
	ownBrows bool // its own head shows brows, so that none are drawn

	shoulder pt // the right one; y is its height
	hip      pt
	arm, leg float64 // half their thickness
	reach    float64 // how much of a pose's reach the arms have
	foot     pt      // half its width and height
	toes     bool

	behind func(*puppet) // what is seen behind the body; may be nil
	torso  func(*puppet)
	head   func(*puppet)
	muzzle func(*puppet) // nose and mouth
	over   func(*puppet) // what hangs over the face; may be nil
}

// A puppet is a costume in a pose, being drawn.
type puppet struct {
	*costume
	Pose
	swing       pt     // from follow
	facing      shape  // what the face is painted on; torso or head sets it
	root, skull affine // where body and head are in the cell
	parts       []part
}

// pose draws a costume in a pose as one finished cell.
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

// busy is the paw that waves, taps and holds the glass; the tail is on the other side.
const busy = 0

// floor is where the feet stand in the cell.
const floor = 198

// draw lists the parts from back to front.
func (d *puppet) draw() {
	far, turned := d.far(), d.turned()
	if d.behind != nil {
		d.behind(d)
	}
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

var rimLight = fade(white, .55)

// side is -1 for the viewer's left, 1 for the right.
func side(i int) float64 { return float64(2*i - 1) }
