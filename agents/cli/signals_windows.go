package cli

import (
	"os"
	"syscall"
)

// endings are the signals that end the app and the demo. Go makes SIGTERM of
// the console's closing, of logging off and of shutting down.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}

// passed are the signals that `run` outlives.
var passed = endings

func heeded(signals ...os.Signal) []os.Signal { return signals }

// pass does nothing for the child: a console tells every process that is
// attached to it, and there is no other road for signals.
func pass(s os.Signal, _ *os.Process) (interrupted bool) { return s == os.Interrupt }

func codeOf(state *os.ProcessState) int { return state.ExitCode() }
