package installer

import (
	"errors"

	"golang.org/x/sys/windows/registry"
)

// The values of this user that Windows reads at login, and where it notes which
// of them its user has switched off.
const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
	runValue    = "PlayPets"
)

func loginListed() bool { return true }

func readLogin() (login, error) {
	command, err := readCommand()
	if err != nil || command == "" {
		return login{}, err
	}
	mark, err := readValue(approvedKey, func(k registry.Key) ([]byte, error) {
		data, _, err := k.GetBinaryValue(runValue)
		return data, err
	})
	return login{true, runBy(command), approved(mark)}, err
}

func readCommand() (string, error) {
	return readValue(runKey, func(k registry.Key) (string, error) {
		text, _, err := k.GetStringValue(runValue)
		return text, err
	})
}

// readValue reads a value of this user's registry, nothing where it is not there.
func readValue[T any](path string, read func(registry.Key) (T, error)) (value T, err error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.QUERY_VALUE)
	if err == nil {
		defer key.Close()
		value, err = read(key)
	}
	if errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	return value, err
}

func writeLogin(program string) error {
	before, err := readCommand()
	if err != nil {
		return err
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	if err := key.SetStringValue(runValue, rerun(before, program)); err != nil {
		return err
	}
	return deleteValue(approvedKey) // whoever switched it off has changed their mind
}

func removeLogin() error {
	return errors.Join(deleteValue(runKey), deleteValue(approvedKey))
}

func deleteValue(path string) error {
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if err == nil {
		defer key.Close()
		err = key.DeleteValue(runValue)
	}
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

func forLogin(program string) string { return atDesktop(program, exists) }
