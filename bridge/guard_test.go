package bridge

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever a page of the browser sends is refused, with the right token too,
// and never with a header that would let the page read the answer.
func TestRefusesBrowsers(t *testing.T) {
	r := start(t)
	for _, header := range []string{
		"Origin: https://evil.example", "Origin: null", "Origin:", "Origin: http://localhost:3000",
		"Origin: http://{host}", "oRiGiN: x",
		"Referer: https://evil.example/", "Referer:",
		"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image", "Sec-Fetch-User: ?1",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Private-Network: true",
	} {
		for _, request := range []string{
			get("/pets", header),
			strings.Replace(post("/say", `{"message":"x"}`), "\r\n\r\n", "\r\n"+header+"\r\n\r\n", 1),
			strings.Replace(get("/events", header), "GET", "OPTIONS", 1),
			strings.Replace(get("*", header), "GET", "OPTIONS", 1),
			strings.Replace(get("/nowhere", header), "Bearer", "Beggar", 1), // first of all checks
		} {
			raw := r.raw(request)
			_, body := answers(t, raw)
			if status1(t, raw) != 403 || errorCode(t, body) != "browser_refused" {
				t.Errorf("%s: %s", header, raw)
			}
			if strings.Contains(strings.ToLower(raw), "access-control") {
				t.Errorf("%s: lets the page read: %s", header, raw)
			}
		}
	}
	if told := r.app.heard(); len(told) > 0 {
		t.Errorf("the app heard %q", told)
	}
}

// What a page can send without any sign of its browser still lacks the token.
func TestRefusesSimpleRequests(t *testing.T) {
	r := start(t)
	for _, request := range []string{
		"POST /say HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/plain\r\nContent-Length: 15\r\n\r\n{\"message\":\"x\"}",
		"GET /pets HTTP/1.1\r\nHost: {host}\r\n\r\n",
		"GET /status HTTP/1.1\r\nHost: {host}\r\nCookie: token={token}\r\n\r\n",
	} {
		if raw := r.raw(request); status1(t, raw) != 401 {
			t.Errorf("%q: %s", request, raw)
		}
	}
}

func TestHost(t *testing.T) {
	r := start(t)
	port := fmt.Sprint(r.endpoint.Port)
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200,
		"localhost:" + port: 200,
		"LocalHost:" + port: 200,

		"":                                403,
		"127.0.0.1":                       403,
		"localhost":                       403,
		"127.0.0.1:1":                     403,
		"127.0.0.1:0" + port:              403,
		"127.0.0.1:" + port + "0":         403,
		"127.0.0.1.:" + port:              403,
		"127.0.0.1.evil.com:" + port:      403,
		"evil.com:" + port:                403,
		"localhost.:" + port:              403,
		"localhost.evil.com:" + port:      403,
		"xlocalhost:" + port:              403,
		"[::1]:" + port:                   403,
		"[::ffff:127.0.0.1]:" + port:      403,
		"0.0.0.0:" + port:                 403,
		"127.1:" + port:                   403,
		"2130706433:" + port:              403,
		"0x7f.0.0.1:" + port:              403,
		"127.0.0.2:" + port:               403,
		"127.0.0.1:" + port + ",evil.com": 403,
		"127.0.0.1:" + port + "/":         400,
		"user@127.0.0.1:" + port:          400,
	} {
		request := strings.Replace(get("/pets"), "{host}", host, 1)
		raw := r.raw(request)
		if got := status1(t, raw); got != want && !(want == 400 && got == 403) {
			t.Errorf("Host %q: %d, want %d", host, got, want)
		}
	}
}

// A whole URL in the request line replaces the Host header, so it could hide it.
func TestHostInRequestLine(t *testing.T) {
	r := start(t)
	for _, request := range []string{
		get("http://{host}/pets"), get("http://evil.com/pets"), get("http://localhost/pets"),
		strings.Replace(get("http://{host}/pets"), "Host: {host}", "Host: evil.com", 1),
	} {
		if raw := r.raw(request); status1(t, raw) != 403 {
			t.Errorf("%q: %s", request, raw)
		}
	}
}

func TestToken(t *testing.T) {
	r := start(t)
	token := r.endpoint.Token
	for header, want := range map[string]int{
		"Authorization: Bearer " + token: 200,
		"authorization: bearer " + token: 200,
		"Authorization: BEARER " + token: 200,

		"X: 1":                                             401,
		"Authorization:":                                   401,
		"Authorization: Bearer":                            401,
		"Authorization: Bearer ":                           401,
		"Authorization: " + token:                          401,
		"Authorization: Basic " + token:                    401,
		"Authorization: Bearer" + token:                    401,
		"Authorization: Bearer " + token[:63]:              401,
		"Authorization: Bearer " + token + "0":             401,
		"Authorization: Bearer " + strings.Repeat("0", 64): 401,
		"Authorization: Bearer " + strings.ToUpper(token):  401,
		"Authorization: Bearer " + token + "," + token:     401,
		"Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + token: 401,
		"Authorization: Bearer " + token + "\r\nAuthorization: Bearer x":        401,
		"Proxy-Authorization: Bearer " + token:                                  401,
		"X-Token: " + token:                                                     401,
	} {
		raw := r.raw("GET /pets HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n" + header + "\r\n\r\n")
		if got := status1(t, raw); got != want {
			t.Errorf("%q: %d, want %d", header, got, want)
		}
	}
	if raw := r.raw("GET /pets?token={token}&access_token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n"); status1(t, raw) != 401 {
		t.Errorf("token in the query: %s", raw)
	}
}

// Each request breaks one rule more than the one before; the first rule broken
// is the one that answers.
func TestOrderOfChecks(t *testing.T) {
	r := start(t)
	big := strings.Repeat(" ", maxBody+1)
	request := func(method, path, host, token, origin, body string) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			method, path, host, token, origin, len(body), body)
	}
	for _, c := range []struct {
		request string
		want    int
	}{
		{request("POST", "/say", "{host}", "{token}", "", "[]"), 400},
		{request("POST", "/say", "{host}", "{token}", "", big), 413},
		{request("PUT", "/say", "{host}", "{token}", "", big), 405},
		{request("PUT", "/nowhere", "{host}", "{token}", "", big), 404},
		{request("PUT", "/nowhere", "{host}", "wrong", "", big), 401},
		{request("PUT", "/nowhere", "evil.com", "wrong", "", big), 403},
		{request("PUT", "/nowhere", "evil.com", "wrong", "Origin: null\r\n", big), 403},
	} {
		if got := status1(t, r.raw(c.request)); got != c.want {
			t.Errorf("%.90q: %d, want %d", c.request, got, c.want)
		}
	}
}
