package leases

import (
	"bytes"
	"fmt"
	"os"
)

// ended reports whether of a process only its entry is left, since its parent has
// not asked for its exit code (proc(5), stat): kill finds it all the same.
func ended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false // not known
	}
	// Its name, in brackets, may have any character in it.
	_, state, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return len(state) > 0 && (state[0] == 'Z' || state[0] == 'X')
}
