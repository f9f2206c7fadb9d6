//go:build unix

package tray

import "syscall"

// apart keeps an editor out of our terminal's reach: Ctrl-C there ends PlayPets,
// not what somebody is writing.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
