package clipboard

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// One program at a time can have the clipboard open, and most need it for less
// than pause.
const (
	pause = 10 * time.Millisecond
	tries = 100
)

func findWindows(context.Context) error { return openClipboard.Find() }

func copyWindows(ctx context.Context, text string) (holder, error) {
	units, err := windows.UTF16FromString(text) // refuses zeros, where others would see the end
	if err != nil {
		return nil, err
	}
	if err := withClipboard(ctx, func() error { return setText(units) }); err != nil {
		return nil, err
	}
	got := ""
	err = withClipboard(ctx, func() (err error) {
		got, err = getText()
		return err
	})
	if err == nil && got != text {
		err = errNotThere
	}
	return nil, err
}

// withClipboard opens the clipboard for what do does. It belongs to a thread, and
// to no window: what is put there is the system's at once.
func withClipboard(ctx context.Context, do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for try := 1; ; try++ {
		ok, _, err := openClipboard.Call(0)
		if ok != 0 {
			defer closeClipboard.Call()
			return do()
		}
		if try == tries || ctx.Err() != nil {
			return fmt.Errorf("open the clipboard: %w", err)
		}
		time.Sleep(pause)
	}
}

func setText(units []uint16) error {
	if ok, _, err := emptyClipboard.Call(); ok == 0 {
		return fmt.Errorf("empty the clipboard: %w", err)
	}
	size := 2 * uintptr(len(units))
	memory, _, err := globalAlloc.Call(gmemMoveable, size)
	if memory == 0 {
		return fmt.Errorf("allocate %d bytes: %w", size, err)
	}
	if err := fill(memory, units); err != nil {
		globalFree.Call(memory)
		return err
	}
	if ok, _, err := setClipboardData.Call(cfUnicodeText, memory); ok == 0 {
		globalFree.Call(memory) // else it is the clipboard's
		return fmt.Errorf("set the clipboard: %w", err)
	}
	return nil
}

func fill(memory uintptr, units []uint16) error {
	at, _, err := globalLock.Call(memory)
	if at == 0 {
		return fmt.Errorf("lock memory: %w", err)
	}
	rtlMoveMemory.Call(at, uintptr(unsafe.Pointer(&units[0])), 2*uintptr(len(units)))
	globalUnlock.Call(memory)
	return nil
}

func getText() (string, error) {
	memory, _, _ := getClipboardData.Call(cfUnicodeText)
	if memory == 0 {
		return "", errNotThere
	}
	at, _, err := globalLock.Call(memory)
	if at == 0 {
		return "", fmt.Errorf("lock memory: %w", err)
	}
	defer globalUnlock.Call(memory)
	size, _, _ := globalSize.Call(memory)
	units := make([]uint16, size/2+1) // may be more than the text, which ends with a zero
	rtlMoveMemory.Call(uintptr(unsafe.Pointer(&units[0])), at, 2*(size/2))
	return windows.UTF16ToString(units), nil
}
