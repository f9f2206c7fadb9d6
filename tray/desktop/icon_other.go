//go:build !unix || darwin

package desktop

import (
	"context"
	"log/slog"
)

func session(context.Context) error { return nil }

func keepIcon(ctx context.Context, _ *slog.Logger, _ func()) { <-ctx.Done() }
