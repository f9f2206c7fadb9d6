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
// protocol had for a while, is answered by one. Bytes that are no UTF-8 are taken
// for U+FFFD: half a character is no reason to hear nothing of a message.
func (s *session) answer(ctx context.Context, line []byte) []byte {
	line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	if line[0] != '[' {
		if r := s.one(ctx, line); r != nil {
			return encode(r)
		}
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		return encode(refuse(noID, mcp.PARSE_ERROR, noJSON))
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

const noJSON = "That is no JSON in UTF-8."

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
		return refuse(noID, mcp.PARSE_ERROR, noJSON)
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
	if json.Unmarshal(f["method"], &method) != nil || string(f["method"]) == "null" {
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
