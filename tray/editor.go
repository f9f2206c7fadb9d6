package tray

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// template is a config.toml that changes nothing and names every key.
//
//go:embed template.toml
var template []byte

// editSettings opens config.toml in dir with the program that the desktop has for
// it, and returns when that has ended, or sooner, as the desktop likes. A file
// that is not there begins as the template.
func editSettings(dir string) error {
	path := settingsPath(dir)
	if err := writeTemplate(path); err != nil {
		return fmt.Errorf("write config.toml: %w", err)
	}
	return openFile(path)
}

// openFile opens a file or folder of the app with the program that the desktop has
// for it, and returns as editSettings does.
func openFile(path string) error {
	opener := openers(runtime.GOOS)
	cmd := exec.Command(opener[0], append(opener[1:], path)...)
	cmd.SysProcAttr = apart()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	return nil
}

// openers is the command that opens a file on a system, without a shell between.
func openers(goos string) []string {
	switch goos {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"open", "-t"} // a text editor: nothing else opens .toml
	}
	return []string{"xdg-open"}
}

// writeTemplate writes the template where there is no file.
func writeTemplate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Write(template)
	return errors.Join(err, f.Close())
}
