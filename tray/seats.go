package tray

import (
	"slices"
	"time"
)

// maxSeats is how many friends the menu can show.
const maxSeats = 12

// seatRest is how long a seat that somebody left stays empty. A menu that is open, and
// the second click of a double click, still mean who left.
const seatRest = time.Minute

// seats are the menu's places for friends, by id; an empty one is free. A
// friend keeps its seat as long as it is here, whatever the order, so that an
// open menu never shows another friend where it was.
type seats [maxSeats]string

// seating gives friends their seats.
type seating struct {
	seats
	left [maxSeats]time.Time // when a seat became free; zero: nobody ever had it
}

// sit gives every friend a seat, as far as they go round, the first ones
// first. A seat that was never taken is given before one that somebody left,
// and of those the one that was left longest ago, when it has rested.
func (s *seating) sit(friends []friendView, now time.Time) seats {
	here := func(id string) bool {
		return slices.ContainsFunc(friends, func(f friendView) bool { return f.id == id })
	}
	for n, id := range s.seats {
		if id != "" && !here(id) {
			s.seats[n], s.left[n] = "", now
		}
	}
	for _, f := range friends {
		if n := s.free(now); n >= 0 && !slices.Contains(s.seats[:], f.id) {
			s.seats[n] = f.id
		}
	}
	return s.seats
}

// free is the seat to give away next; -1: all are taken, or rest.
func (s *seating) free(now time.Time) int {
	best := -1
	for n, id := range s.seats {
		rests := !s.left[n].IsZero() && now.Sub(s.left[n]) < seatRest
		if id == "" && !rests && (best < 0 || s.left[n].Before(s.left[best])) {
			best = n
		}
	}
	return best
}

// taken is how many seats are.
func (s seats) taken() (n int) {
	for _, id := range s {
		if id != "" {
			n++
		}
	}
	return n
}
