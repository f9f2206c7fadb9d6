package installer

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestAtLogin writes this user's real registry, and leaves it as it was.
func TestAtLogin(t *testing.T) {
	before, err := readLogin()
	if err != nil {
		t.Fatal(err)
	}
	if before.there {
		t.Skip("PlayPets starts at login here")
	}
	t.Cleanup(func() { removeLogin() })
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := writeLogin(exe); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); !on || err != nil {
		t.Errorf("switched on: on %t, %v", on, err)
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close()
	if err := key.SetBinaryValue(runValue, []byte{3, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); on || err != nil {
		t.Errorf("switched off in Task Manager: on %t, %v", on, err)
	}
	if err := writeLogin(`C:\old\place\playpetsw.exe`); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); on || !errors.Is(err, ErrElsewhere) {
		t.Errorf("a moved program: on %t, %v", on, err)
	}
	if err := SetAtLogin(true); err != nil {
		t.Fatal(err)
	}
	if on, err := AtLogin(); !on || err != nil {
		t.Errorf("mended: on %t, %v", on, err)
	}
	for range 2 {
		if err := SetAtLogin(false); err != nil {
			t.Fatal(err)
		}
		if on, err := AtLogin(); on || err != nil {
			t.Errorf("switched off: on %t, %v", on, err)
		}
	}
}
