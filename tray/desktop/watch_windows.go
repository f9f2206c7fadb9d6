package desktop

import (
	"context"
	"log/slog"
	"unsafe"

	"golang.org/x/sys/windows"
)

var systemParametersInfo = windows.NewLazySystemDLL("user32.dll").NewProc("SystemParametersInfoW")

const spiGetClientAreaAnimation = 0x1042

// watch tells whether Windows' own animations are switched off, as they are now:
// a change comes to a window as a message, and is seen at the next start.
func watch(ctx context.Context, log *slog.Logger, tell func(State)) {
	tell(State{})
	animated := int32(1)
	ok, _, err := systemParametersInfo.Call(spiGetClientAreaAnimation, 0, uintptr(unsafe.Pointer(&animated)), 0)
	switch {
	case ok == 0:
		log.Info("the desktop says nothing", "reason", err)
	case animated == 0:
		tell(State{ReducedMotion: true})
	}
	<-ctx.Done()
}
