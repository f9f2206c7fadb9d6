// Command minimal is the yardstick of `make bench`: the least that a Go
// program can do to send one event over the loopback.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
)

func main() {
	var door struct {
		Port  int
		Token string
	}
	data, err := os.ReadFile(os.Args[1])
	if err != nil || json.Unmarshal(data, &door) != nil {
		os.Exit(1)
	}
	var event struct {
		Tool    string `json:"tool_name"`
		Session string `json:"session_id"`
	}
	if json.NewDecoder(os.Stdin).Decode(&event) != nil {
		os.Exit(1)
	}
	body, _ := json.Marshal(map[string]string{"state": "working", "message": "@tool " + event.Tool, "session": event.Session})
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", door.Port))
	if err != nil {
		os.Exit(1)
	}
	fmt.Fprintf(c, "POST /events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		door.Port, door.Token, len(body), body)
	if reply, err := io.ReadAll(c); err != nil || len(reply) < 12 || string(reply[9:12]) != "200" {
		os.Exit(1)
	}
}
