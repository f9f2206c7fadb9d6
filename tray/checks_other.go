//go:build !unix || darwin

package tray

// busChecks is empty where there is no session bus.
var busChecks []check
