package tray

import "syscall"

// apart keeps an editor out of our console's reach: Ctrl-C there ends PlayPets,
// not what somebody is writing.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
