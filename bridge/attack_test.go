package bridge

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// What breaks HTTP itself never reaches the app. net/http refuses these; the
// table says so when another library or version would not.
func TestBrokenHTTP(t *testing.T) {
	r := start(t)
	const body = `{"message":"smuggled"}`
	head := "POST /say HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
	for name, request := range map[string]string{
		"two hosts":              "GET /pets HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"no host":                "GET /pets HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n",
		"no host in 1.0":         "GET /pets HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n",
		"user in host":           "GET /pets HTTP/1.1\r\nHost: x@{host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"chunks twice":           head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n16\r\n" + body + "\r\n0\r\n\r\n",
		"unknown coding":         head + "Transfer-Encoding: gzip, chunked\r\n\r\n16\r\n" + body + "\r\n0\r\n\r\n",
		"two lengths":            head + "Content-Length: 22\r\nContent-Length: 23\r\n\r\n" + body,
		"negative length":        head + "Content-Length: -22\r\n\r\n" + body,
		"signed length":          head + "Content-Length: +22\r\n\r\n" + body,
		"hexadecimal length":     head + "Content-Length: 0x16\r\n\r\n" + body,
		"length beyond all":      head + "Content-Length: 99999999999999999999\r\n\r\n" + body,
		"space before colon":     head + "Content-Length : 22\r\n\r\n" + body,
		"NUL in a header":        head + "X: a\x00b\r\nContent-Length: 22\r\n\r\n" + body,
		"NUL in the path":        "GET /pets\x00 HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"bad chunk size":         head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body + "\r\n0\r\n\r\n",
		"chunk size beyond all":  head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + body,
		"HTTP/2 preface":         "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
		"HTTP/3":                 "GET /pets HTTP/3.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"HTTP/0.9":               "GET /pets\r\n\r\n",
		"TLS":                    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x7f", 40) + "\r\n\r\n",
		"upgrade to HTTP/2":      "GET /pets HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n",
		"CONNECT":                "CONNECT {host} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"CONNECT elsewhere":      "CONNECT evil.com:443 HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"TRACE":                  "TRACE /pets HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
		"only line ends":         "\r\n\r\n\r\n\r\n",
		"nothing":                "",
		"long header":            get("/pets", "X: "+strings.Repeat("x", 16<<10)),
		"a thousand headers":     get("/pets", strings.Repeat("X: xxxxxxxxxxxx\r\n", 1000)+"Y: 1"),
		"long path":              get("/" + strings.Repeat("x", 64<<10)),
		"long method":            strings.Replace(get("/pets"), "GET", strings.Repeat("G", 64<<10), 1),
		"body shorter than said": head + "Content-Length: 23\r\n\r\n" + body,
	} {
		raw := r.raw(request)
		if strings.Contains(raw, " 200 ") {
			t.Errorf("%s: %s", name, raw)
		}
		if raw != "" && !strings.HasPrefix(raw, "HTTP/1.") {
			t.Errorf("%s: not HTTP: %q", name, raw)
		}
	}
	if told := r.app.heard(); len(told) > 0 {
		t.Errorf("the app heard %q", told)
	}
	if status, _ := r.ask("GET", "/pets", ""); status != 200 {
		t.Errorf("an honest request afterwards: %d", status)
	}
}

// What is odd and harmless works.
func TestOldAndUnusualHTTP(t *testing.T) {
	r := start(t)
	one := "POST /say HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
	for name, c := range map[string]struct {
		request string
		want    []int
	}{
		"HTTP/1.0":  {"GET /pets HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n", []int{200}},
		"chunks":    {strings.Replace(one, "Content-Length: 15", "Transfer-Encoding: chunked", 1) + "5\r\n{\"mes\r\na\r\nsage\":\"c\"}\r\n0\r\n\r\n", []int{200}},
		"pipelined": {one + `{"message":"1"}` + one + `{"message":"2"}` + one + `{"message":"3"}`, []int{200, 200, 200}},
		// The chunks count, and what the length hides is not read as a request.
		"length and chunks": {strings.Replace(one, "15\r\n", "20\r\nTransfer-Encoding: chunked\r\n", 1) + "f\r\n{\"message\":\"l\"}\r\n0\r\n\r\n" + one + `{"message":"6"}`, []int{200}},
		// After a refusal nothing more is read: it may be the rest of its body.
		"refused first": {strings.Replace(one, "{token}", "wrong", 1) + `{"message":"4"}` + one + `{"message":"5"}`, []int{401}},
	} {
		got, _ := answers(t, r.raw(c.request))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	told := strings.Join(r.app.heard(), " ")
	if !strings.Contains(told, "say|1 say|2 say|3") || strings.Contains(told, "4") || strings.Contains(told, "5") || strings.Contains(told, "6") {
		t.Errorf("told %q", told)
	}
}

// A body of 8 KB fits; one byte more is refused, before it is sent if its
// length is known.
func TestBodySize(t *testing.T) {
	r := start(t)
	pad := func(n int) string { return `{"message":"x"` + strings.Repeat(" ", n-15) + `}` }
	if status, body := r.ask("POST", "/say", pad(maxBody)); status != 200 {
		t.Errorf("%d bytes: %d %s", maxBody, status, body)
	}
	head := "POST /say HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n"
	for name, request := range map[string]string{
		"one byte more":      post("/say", pad(maxBody+1)),
		"8 MB":               post("/say", pad(8<<20)),
		"8 GB declared":      head + "Content-Length: 8589934592\r\n\r\n",
		"expecting to go on": head + "Content-Length: 8193\r\nExpect: 100-continue\r\n\r\n",
		"declared for a GET": strings.Replace(get("/pets", "Content-Length: 8193"), "Connection: close\r\n", "", 1),
		"one chunk":          chunked + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", maxBody+1, pad(maxBody+1)),
		"endless chunks":     chunked + strings.Repeat("400\r\n"+strings.Repeat("x", 1024)+"\r\n", 9),
	} {
		// The client does not end its side: the answer must not wait for that.
		conn := r.send(request)
		reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || reply.StatusCode != 413 || !reply.Close {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
	if told := r.app.heard(); len(told) != 1 {
		t.Errorf("the app heard %d", len(told))
	}
}

// Who is refused is told so before the rest of the body, which may never come.
func TestRefusesBeforeTheBody(t *testing.T) {
	r := start(t)
	for name, request := range map[string]string{
		"401": "POST /say HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer x\r\nContent-Length: 100\r\n\r\n{",
		"403": "POST /say HTTP/1.1\r\nHost: {host}\r\nOrigin: null\r\nContent-Length: 100\r\n\r\n{",
		"404": "POST /no HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
		"405": "PUT /say HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
		"400": "GET /pets HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
	} {
		conn := bufio.NewReader(r.send(request))
		reply, err := http.ReadResponse(conn, nil)
		if err != nil || !strings.HasPrefix(reply.Status, name) || !reply.Close {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}
