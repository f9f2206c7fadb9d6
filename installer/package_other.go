//go:build !windows

package installer

// packageFamily is Windows' alone.
func packageFamily() (string, error) { return "", nil }
