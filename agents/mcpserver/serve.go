// Package mcpserver is how things are said over MCP: the tools with their schemas
// and handlers, and the loop that reads an agent's requests on standard input.
//
// It knows no friend and keeps nothing but its lease: it asks the app over the
// bridge. No path, port, token or system error reaches a model through it.
package mcpserver

import (
	"context"
	"errors"
	"io"
	"syscall"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/playpets/playpets/agents"
)

// Options says what a server speaks, and for whom.
type Options struct {
	OpenPets bool   // OpenPets' three tools in place of ours
	Pet      string // the friend that was asked for, by id or name; empty: the agent's own
	Project  string // the folder's last name that the agent works in; empty: not known
	Version  string // of this program
	App      App
	In       io.Reader
	Out      io.Writer
}

// App is the running app, as bridge.Client reaches it. Its errors are those of
// bridge.Client.
type App interface {
	Friends() ([]agents.Friend, error)
	Status() ([]agents.Status, error)
	Report(agents.Report) (petID string, err error)
	Say(to agents.Target, message string) (petID string, err error)
	React(to agents.Target, r agents.Reaction) (petID string, err error)
	Lease(agents.LeaseRequest) (agents.Lease, error)
	Renew(lease string) (agents.Lease, error)
	Release(lease string) error
}

// Serve answers requests until the input ends, the output is closed, or ctx
// ends, and gives the friend back then, within a second in all, also while the
// app hangs. It may leave goroutines behind that still read In or wait for the
// app. The error is why In could not be read.
func Serve(ctx context.Context, o Options) error {
	k := newKeeper(o)
	k.Start()
	defer k.Close()
	// A call that the app does not answer ends with the server.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in := readAhead(o.In)
	defer in.close()
	ended := make(chan error, 1)
	go func() {
		s := session{mcp: newServer(o, k), keeper: k, last: in.ended}
		ended <- s.loop(ctx, newLines(in), o.Out)
	}()
	select {
	case err := <-ended:
		return err
	case <-closed(ctx, o.Out):
	case <-ctx.Done():
	}
	return nil
}

// session is one client's.
type session struct {
	mcp    *server.MCPServer
	keeper *keeper
	last   <-chan struct{} // closed once the client has said its last word
	hung   bool            // the app did not answer after that
}

// loop answers one message after the other. mcp-go has a loop of its own, which
// cancels what is under way when the input ends (measured: a third of 200 replies
// lost), has five workers that change the order of what an agent says, ignores a
// last line without an end, and holds lines of any length.
func (s *session) loop(ctx context.Context, in *lines, out io.Writer) error {
	for {
		line, err := in.next()
		var answer []byte
		switch {
		case err == nil:
			answer = s.answer(ctx, line)
		case errors.Is(err, errTooLong):
			answer = encode(refuse(noID, mcp.INVALID_REQUEST, "A message has at most 1 MiB."))
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
			errors.Is(err, syscall.ECONNRESET), // a socket's, whose other end went with answers unread
			errors.Is(err, syscall.EIO):        // a terminal's that is gone
			return nil
		default:
			return err
		}
		if len(answer) == 0 {
			continue
		}
		if _, err := out.Write(answer); err != nil {
			return nil // nobody reads any more
		}
	}
}
