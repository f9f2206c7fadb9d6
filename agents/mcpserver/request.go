package mcpserver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// nothing is what there is none of. Some clients ask without being told that
// there is any, and take an error for a broken server.
var nothing = map[string]any{
	"resources/list":           map[string]any{"resources": []any{}},
	"resources/templates/list": map[string]any{"resourceTemplates": []any{}},
	"prompts/list":             map[string]any{"prompts": []any{}},
}

// request answers what mcp-go should not, and has it answer the rest. What is
// handed to it is only what it certainly understands: of more it makes errors that
// quote its own code, such as of a _meta of the wrong type.
func (s *session) request(ctx context.Context, id json.RawMessage, method string, params json.RawMessage) *reply {
	if empty, known := nothing[method]; known {
		return result(id, empty)
	}
	switch method {
	case string(mcp.MethodPing):
		return result(id, struct{}{})
	case string(mcp.MethodInitialize):
		return s.pass(ctx, id, method, s.introduced(params))
	case string(mcp.MethodToolsList):
		return s.pass(ctx, id, method, fields{}) // all are on the one page
	case string(mcp.MethodToolsCall):
		call := named(params)
		if call == nil {
			return refuse(id, mcp.INVALID_PARAMS, "Name a tool.")
		}
		return s.pass(ctx, id, method, call)
	}
	// Among them is server/discover, of a revision without initialize: refused, its
	// clients fall back to that.
	return refuse(id, mcp.METHOD_NOT_FOUND, "There is no such method.")
}

// named is what a call says of a tool, or nil if it names none.
func named(params json.RawMessage) fields {
	var all fields
	var name string
	if json.Unmarshal(params, &all) != nil || json.Unmarshal(all["name"], &name) != nil || name == "" {
		return nil
	}
	call := fields{"name": all["name"]}
	if given := all["arguments"]; given != nil {
		call["arguments"] = given
	}
	return call
}

// pass has mcp-go answer.
func (s *session) pass(ctx context.Context, id json.RawMessage, method string, params any) *reply {
	asked, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": 0, "method": method, "params": params})
	if err != nil {
		return refuse(id, mcp.INVALID_PARAMS, badParams)
	}
	switch r := s.handle(ctx, method, asked).(type) {
	case nil:
		return result(id, mcp.NewToolResultError(late))
	case mcp.JSONRPCResponse:
		return result(id, r.Result)
	case mcp.JSONRPCError:
		switch r.Error.Code {
		case mcp.INTERNAL_ERROR: // its words quote the panic
			return refuse(id, mcp.INTERNAL_ERROR, "That went wrong inside PlayPets: go on without it.")
		case mcp.INVALID_REQUEST: // and these the code
			return refuse(id, mcp.INVALID_PARAMS, badParams)
		}
		return &reply{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &r.Error}
	}
	return refuse(id, mcp.INTERNAL_ERROR, "There is no answer to that.")
}

const badParams = "Those params cannot be read."

// lastCall is how long a call may take once the client has said its last word.
const lastCall = 400 * time.Millisecond

// handle is mcp-go's answer. An app that hangs would hold up the end for seconds
// with every call that is left: then it is nil, for this call and at once for all
// that come behind it.
func (s *session) handle(ctx context.Context, method string, asked []byte) mcp.JSONRPCMessage {
	if method != string(mcp.MethodToolsCall) {
		return s.mcp.HandleMessage(ctx, asked)
	}
	if s.hung {
		return nil
	}
	answered := make(chan mcp.JSONRPCMessage, 1)
	go func() { answered <- s.mcp.HandleMessage(ctx, asked) }()
	select {
	case answer := <-answered:
		return answer
	case <-s.last:
	}
	select {
	case answer := <-answered:
		return answer
	case <-time.After(lastCall):
		s.hung = true
		return nil
	}
}

// versions are the revisions of the protocol that are spoken, the newest first.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// introduced notes who initializes, and returns what of the params matters:
// clients send capabilities of every shape, and versions that nobody knows.
func (s *session) introduced(params json.RawMessage) mcp.InitializeParams {
	var p struct {
		ProtocolVersion any `json:"protocolVersion"`
		ClientInfo      any `json:"clientInfo"`
	}
	_ = json.Unmarshal(params, &p) // what cannot be read was not said
	version := versions[0]
	for _, v := range versions {
		if p.ProtocolVersion == v {
			version = v
		}
	}
	name := "unknown"
	if info, ok := p.ClientInfo.(map[string]any); ok {
		if said, ok := info["name"].(string); ok && said != "" {
			name = said
		}
	}
	s.keeper.Introduced(name)
	return mcp.InitializeParams{ProtocolVersion: version, ClientInfo: mcp.Implementation{Name: name, Version: "0"}}
}
