package clipboard

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

func TestWindowsTexts(t *testing.T) {
	expectWay(t, "Windows")
	c := open(t)
	for name, text := range texts {
		c.mustCopy(t, text, "Windows")
		var got string
		err := withClipboard(t.Context(), func() (err error) { got, err = getText(); return err })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		expectText(t, got, text)
	}
	// A zero would be the end of the text for those who paste it.
	if way, err := c.Copy(t.Context(), "one\x00two"); err == nil {
		t.Errorf("copied a zero by way of %s", way)
	}
}

// Another program that has the clipboard open is waited for, but not for ever.
func TestWindowsOpenElsewhere(t *testing.T) {
	const variable = "PLAYPETS_TEST_HOLD"
	if os.Getenv(variable) != "" {
		hold(t)
		return
	}
	other := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	other.Env = append(os.Environ(), variable+"=1")
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer in.Close()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	c := open(t)
	c.expectError(t, "Windows: open the clipboard: ")
	in.Close()
	c.mustCopy(t, "text", "Windows")
}

// hold is that other program: it opens the clipboard with a window of its own,
// says so, and keeps it open until it is to end.
func hold(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	class, err := windows.UTF16PtrFromString("STATIC")
	if err != nil {
		t.Fatal(err)
	}
	messageOnly := ^uintptr(2)
	window, _, err := user32.NewProc("CreateWindowExW").Call(0, uintptr(unsafe.Pointer(class)), 0, 0, 0, 0, 0, 0, messageOnly, 0, 0, 0)
	if window == 0 {
		t.Fatal(err)
	}
	if ok, _, err := openClipboard.Call(window); ok == 0 {
		t.Fatal(err)
	}
	defer closeClipboard.Call()
	fmt.Println()
	io.Copy(io.Discard, os.Stdin)
}
