package bubble

import (
	"image"
	"image/color"

	"github.com/playpets/playpets/agents"
)

// marks are the states that have one, each a shape of its own, so that colour
// is never the only difference. They are drawn round 0,0 in px at scale 1.
var marks = map[agents.State]struct {
	color func(Theme) color.NRGBA
	shape field
}{
	agents.Working: {
		func(t Theme) color.NRGBA { return t.Working },
		join(line(-5.5, 0, -5.5, 0, 4), line(0, 0, 0, 0, 4), line(5.5, 0, 5.5, 0, 4)),
	},
	agents.Waiting: {
		func(t Theme) color.NRGBA { return t.Waiting },
		without(triangle(0, -5.2, 6, 4.8, -6, 4.8, 2), join(line(0, -2.2, 0, 1.2, 2), line(0, 4.1, 0, 4.1, 2.2))),
	},
	agents.Done: {
		func(t Theme) color.NRGBA { return t.Done },
		join(line(-5.2, 0.6, -1.7, 4.1, 2.6), line(-1.7, 4.1, 5.2, -4.3, 2.6)),
	},
	agents.Error: {
		func(t Theme) color.NRGBA { return t.Error },
		join(line(-4.3, -4.3, 4.3, 4.3, 2.6), line(-4.3, 4.3, 4.3, -4.3, 2.6)),
	},
}

// hasMark reports whether a state is shown by a mark.
func hasMark(state agents.State) bool {
	_, ok := marks[state]
	return ok
}

// paintMark paints the mark of a state round a point.
func (c *canvas) paintMark(state agents.State, at image.Point) {
	mark, ok := marks[state]
	if !ok {
		return
	}
	around := image.Rectangle{at, at}.Inset(-c.mark)
	paint(c.img, around, mark.shape.at(float64(at.X), float64(at.Y), c.scale), mark.color(c.theme))
}
