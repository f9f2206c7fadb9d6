package installer

import (
	"runtime/debug"
	"sync"
)

// Version is the release or the commit that the Go toolchain stamped into this
// program, or "(devel)".
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
})
