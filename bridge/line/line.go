// Package line is how a client finds the running app and speaks to it once:
// bridge.json, its lock, and one bounded HTTP/1.1 exchange.
package line
