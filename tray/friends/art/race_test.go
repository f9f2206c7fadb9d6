//go:build race

package main

// The race detector makes drawing fifteen times slower, and every cell is drawn in the same
// way: one frame of each row and friend is enough to find a race.
func init() { every = 9 }
