// Package hook is the fast door: it answers `playpets hook …` from its init,
// before the rest of the program initialises.
package hook
