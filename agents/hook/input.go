package hook

import (
	"os"
	"time"
)

// buffer is as large as a pipe of Linux. A variable of the package costs
// nothing until it is used.
var buffer [64 << 10]byte

// input gives feed what comes on standard input, until feed has enough.
func input(feed func([]byte) bool) {
	if person() {
		return
	}
	for {
		n, err := os.Stdin.Read(buffer[:])
		if feed(buffer[:n]) || err != nil {
			return
		}
	}
}

// drain reads what is left, so that the agent meets no broken pipe, until the
// input ends or is silent.
func drain() {
	if person() {
		return
	}
	silent := time.AfterFunc(patience, leave)
	defer silent.Stop()
	for {
		if _, err := os.Stdin.Read(buffer[:]); err != nil {
			return
		}
		silent.Reset(patience)
	}
}

// person reports whether nothing but a person could write to standard input: a
// hook never waits for one. /dev/null counts as well, and is as silent.
func person() bool {
	info, err := os.Stdin.Stat()
	return err != nil || info.Mode()&os.ModeCharDevice != 0
}
