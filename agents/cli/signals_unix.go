//go:build unix

package cli

import (
	"os"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// endings are the signals that end the app and the demo.
var endings = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// passed are the signals that `run` passes on. Those of job control do their
// work unaided, since the child stays in our process group.
var passed = []os.Signal{
	syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2,
}

// heeded leaves out signals that we were started to ignore (nohup): catching
// them would undo that, for a child too.
func heeded(signals ...os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
}

// pass gives a signal to the child, and reports whether the person interrupted
// the run with it. What a terminal sends goes to its whole foreground group:
// the child has it already, and a second Ctrl-C means something else to many
// programs.
func pass(s os.Signal, child *os.Process) (interrupted bool) {
	keyboard := s == syscall.SIGINT || s == syscall.SIGQUIT
	if !keyboard || !inForeground() {
		child.Signal(s)
	}
	return s == syscall.SIGINT || s == syscall.SIGHUP
}

// inForeground reports whether we are in the foreground group of a terminal.
func inForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// codeOf is a child's exit code as a shell gives it: 128+n when signal n ended it.
func codeOf(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
