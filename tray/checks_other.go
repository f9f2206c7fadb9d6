//go:build !unix || darwin

package tray

import (
	"context"

	"github.com/playpets/playpets/installer"
)

// checkBus has no bus to look at: the system itself shows notifications.
func checkBus(ctx context.Context) []installer.Check {
	return []installer.Check{checkNotices(ctx)}
}
