package main

import "math"

// turned tells a friend that is seen from the side from one that faces us.
func (d *puppet) turned() bool { return math.Abs(d.Turn) > .3 }

// far is the side away from the viewer.
func (d *puppet) far() int {
	if d.Turn < 0 {
		return 0
	}
	return 1
}

// onBody does for the body what onFace does for the face.
func (d *puppet) onBody(x float64) float64 {
	x, _ = around(d.shoulder.x*1.25, x, d.Turn*28)
	return x
}

// facingTo is how far the face is turned: with the body, and beyond it.
func (d *puppet) facingTo() float64 { return d.Turn + d.HeadTurn }

// earDrop is how far what stands on the head goes down behind it as the face looks up, or
// comes forward as it looks down.
func (d *puppet) earDrop() float64 { return -2.5 * d.Nod }

// onFace carries a point of the face round the head as it turns and nods; the second
// result is how much narrower things look there.
func (d *puppet) onFace(x, y float64) (pt, float64) {
	r := d.headHalf * 1.06
	x, narrow := around(r, x, d.facingTo()*24)
	y, _ = around(r, y, d.Nod*12)
	return pt{x, y}, narrow
}

// onChest does for what is worn on the chest what onFace does for the face.
func (d *puppet) onChest(x float64) (to, narrow float64) {
	return around(d.headHalf*1.06, x, d.Turn*24)
}

// around carries a point on a ball of radius r as the ball turns by degrees; the second
// result is how much narrower things look where they come to be.
func around(r, x, degrees float64) (to, narrow float64) {
	at := math.Asin(x / r)
	angle := at + degrees*math.Pi/180
	return r * math.Sin(angle), math.Cos(angle) / math.Cos(at)
}
