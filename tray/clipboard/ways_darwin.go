package clipboard

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

var ways = []way{{"macOS", findMac, copyMac}}

// The two programs are a part of every macOS, and simpler than the pasteboard,
// which wants Objective-C. Without a locale they take a text for Mac Roman.
const (
	pbcopy  = "/usr/bin/pbcopy"
	pbpaste = "/usr/bin/pbpaste"
	locale  = "LC_CTYPE=UTF-8"
)

func findMac(context.Context) error {
	_, err := exec.LookPath(pbcopy)
	return err
}

func copyMac(ctx context.Context, text string) (holder, error) {
	put := exec.CommandContext(ctx, pbcopy)
	put.Env = append(put.Environ(), locale)
	put.Stdin = strings.NewReader(text)
	if err := put.Run(); err != nil {
		return nil, fmt.Errorf("run %s: %w", pbcopy, err)
	}
	get := exec.CommandContext(ctx, pbpaste, "-Prefer", "txt")
	get.Env = append(get.Environ(), locale)
	got, err := get.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", pbpaste, err)
	}
	if !bytes.Equal(got, []byte(text)) {
		return nil, errNotThere
	}
	return nil, nil
}
