// Package installer is where PlayPets is on this machine: the path that other
// programs should start it by, whether it starts at login, and how a look at all
// that is told.
//
// It writes only for this user, only when asked, and only what is its own. It
// installs nothing and asks for no rights.
package installer
