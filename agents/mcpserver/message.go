package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// fields are the members of one message; their keys are exact.
type fields map[string]json.RawMessage

// reply is an answer. The id is the client's own bytes: a number of more than 53
// bits would not survive being one of ours.
type reply struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

var noID = json.RawMessage("null")

func refuse(id json.RawMessage, code int, sentence string) *reply {
	return &reply{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{Code: code, Message: sentence}}
}

func result(id json.RawMessage, result any) *reply {
	return &reply{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: result}
}

// answer is the line that answers a line; nil is silence. A batch, which the
// protocol had for a while, is answered by one.
func (s *session) answer(ctx context.Context, line []byte) []byte {
	if line[0] != '[' {
		if r := s.one(ctx, line); r != nil {
			return encode(r)
		}
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		return encode(refuse(noID, mcp.PARSE_ERROR, "That is no JSON."))
	}
	if len(batch) == 0 || len(batch) > maxBatch {
		return encode(refuse(noID, mcp.INVALID_REQUEST, "A batch has 1 to 100 messages."))
	}
	var replies []*reply
	for _, message := range batch {
		if r := s.one(ctx, message); r != nil {
			replies = append(replies, r)
		}
	}
	if replies == nil {
		return nil
	}
	return encode(replies)
}

// maxBatch is how many messages one line may have.
const maxBatch = 100

// encode writes JSON on one line, ids and words as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return encode(refuse(noID, mcp.INTERNAL_ERROR, "The answer could not be written."))
	}
	return b.Bytes()
}

// one answers one message.
func (s *session) one(ctx context.Context, message []byte) *reply {
	var f fields
	if err := json.Unmarshal(message, &f); err != nil || f == nil {
		if json.Valid(message) {
			return refuse(noID, mcp.INVALID_REQUEST, "A message is a JSON object.")
		}
		return refuse(noID, mcp.PARSE_ERROR, "That is no JSON.")
	}
	id, wanted := f["id"]
	if !wanted && f["method"] != nil { // a notification: nobody waits for an answer, nor for a deed
		return nil
	}
	if f["method"] == nil && (f["result"] != nil || f["error"] != nil) { // an answer to what was never asked
		return nil
	}
	if !isID(id) {
		return refuse(noID, mcp.INVALID_REQUEST, "An id is a string or a number.")
	}
	var version, method string
	if json.Unmarshal(f["jsonrpc"], &version) != nil || version != mcp.JSONRPC_VERSION {
		return refuse(id, mcp.INVALID_REQUEST, `Send "jsonrpc": "2.0".`)
	}
	if json.Unmarshal(f["method"], &method) != nil {
		return refuse(id, mcp.INVALID_REQUEST, "A method is a string.")
	}
	params := f["params"]
	if len(params) > 0 && params[0] != '{' && string(params) != "null" {
		return refuse(id, mcp.INVALID_PARAMS, "Params are a JSON object.")
	}
	return s.request(ctx, id, method, params)
}

func isID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// nothing is what there is none of. Some clients ask without being told that
// there is any, and take an error for a broken server.
var nothing = map[string]any{
	"resources/list":           map[string]any{"resources": []any{}},
	"resources/templates/list": map[string]any{"resourceTemplates": []any{}},
	"prompts/list":             map[string]any{"prompts": []any{}},
}

// request answers what mcp-go should not, and has it answer the rest.
func (s *session) request(ctx context.Context, id json.RawMessage, method string, params json.RawMessage) *reply {
	if empty, known := nothing[method]; known {
		return result(id, empty)
	}
	switch method {
	case "server/discover":
		// It belongs to a revision without initialize. Refused, clients fall back.
		return refuse(id, mcp.METHOD_NOT_FOUND, "Send initialize.")
	case string(mcp.MethodPing):
		return result(id, struct{}{})
	case string(mcp.MethodInitialize):
		params = s.introduced(params)
	case string(mcp.MethodToolsCall):
		if params = call(params); params == nil {
			return refuse(id, mcp.INVALID_PARAMS, "Name a tool.")
		}
	}
	if len(params) == 0 || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	asked, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": 0, "method": method, "params": params})
	if err != nil {
		return refuse(id, mcp.INVALID_PARAMS, "Those params cannot be read.")
	}
	switch r := s.mcp.HandleMessage(ctx, asked).(type) {
	case mcp.JSONRPCResponse:
		return result(id, r.Result)
	case mcp.JSONRPCError:
		if r.Error.Code == mcp.INTERNAL_ERROR { // its words quote the panic
			return refuse(id, mcp.INTERNAL_ERROR, "That went wrong inside PlayPets: go on without it.")
		}
		return &reply{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &r.Error}
	}
	return refuse(id, mcp.INTERNAL_ERROR, "There is no answer to that.")
}

// call leaves of a tool call's params the tool's name and its arguments: mcp-go
// refuses the call if anything else in them has another shape than it knows. nil
// is no tool call.
func call(params json.RawMessage) json.RawMessage {
	var f fields
	var name string
	if json.Unmarshal(params, &f) != nil || json.Unmarshal(f["name"], &name) != nil || name == "" {
		return nil
	}
	kept := fields{"name": f["name"]}
	if arguments, sent := f["arguments"]; sent {
		kept["arguments"] = arguments
	}
	clean, _ := json.Marshal(kept) // it was read as JSON: always written
	return clean
}

// versions are the revisions of the protocol that are spoken, the newest first.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// introduced notes who initializes, and leaves of the params what is certain to
// be understood: clients send capabilities of every shape, and versions that
// nobody knows.
func (s *session) introduced(params json.RawMessage) json.RawMessage {
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
	clean, _ := json.Marshal(mcp.InitializeParams{ // strings alone: always written
		ProtocolVersion: version, ClientInfo: mcp.Implementation{Name: name, Version: "0"},
	})
	return clean
}
