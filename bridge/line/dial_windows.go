package line

import (
	"net"
	"strconv"
	"time"
)

// dial connects to 127.0.0.1. The deadline binds everything on the connection.
// Sockets need WSAStartup here, which net does.
func dial(port int, deadline time.Time) (net.Conn, error) {
	d := net.Dialer{Deadline: deadline}
	conn, err := d.Dial("tcp4", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(deadline); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}
