package mcpserver

import (
	"io"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// TestOtherClient: a client that is not ours finds its way, from initialize to the end.
func TestOtherClient(t *testing.T) {
	for _, openPets := range []bool{false, true} {
		h := open(t)
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		var serving sync.WaitGroup
		serving.Go(func() {
			if err := Serve(t.Context(), Options{App: h.client(), OpenPets: openPets, In: in, Out: out}); err != nil {
				t.Error(err)
			}
			out.Close()
		})
		c := client.NewClient(transport.NewIO(fromServer, toServer, io.NopCloser(nil)))
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		hello := mcp.InitializeRequest{}
		hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
		hello.Params.ClientInfo = mcp.Implementation{Name: "claude-code", Version: "1"}
		if _, err := c.Initialize(t.Context(), hello); err != nil {
			t.Fatal(err)
		}
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range everyCall {
			if call.openPets != openPets {
				continue
			}
			r := mcp.CallToolRequest{}
			r.Params.Name, r.Params.Arguments = call.tool, args{"state": "done", "message": "hi", "action": "wave", "reaction": "idle"}
			if got, err := c.CallTool(t.Context(), r); err != nil || got.IsError || got.StructuredContent == nil {
				t.Errorf("%s: %+v, %v", call.tool, got, err)
			}
		}
		if want := map[bool]int{false: len(ours), true: len(openpets)}[openPets]; len(list.Tools) != want {
			t.Errorf("%d tools, want %d", len(list.Tools), want)
		}
		if h.agents() != "claude" {
			t.Errorf("the lease is of %q", h.agents())
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait()
		if h.holds() != 0 {
			t.Error("the friend is not given back")
		}
	}
}
