package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

// honest is a body for every POST route.
var honest = map[string]string{
	"/events": `{"state":"working"}`,
	"/say":    `{"message":"hi"}`,
	"/react":  `{"action":"wave"}`,
	"/open":   `{}`,

	"/leases":         `{"pid":7,"nonce":"n"}`,
	"/leases/renew":   `{"leaseId":"lease-1"}`,
	"/leases/release": `{"leaseId":"lease-1"}`,

	"/copy":   `{"agent":"claude","name":"hooks"}`,
	"/notify": `{}`,
}

// Every route answers its own method with JSON, wants the token, names its
// method to others, and is there under its exact path only.
func TestEveryRoute(t *testing.T) {
	r := start(t)
	for _, route := range routes {
		t.Run(route.path, func(t *testing.T) {
			request := get(route.path)
			if route.method == http.MethodPost {
				request = post(route.path, honest[route.path])
			}
			raw := r.raw(request)
			if status1(t, raw) != 200 || !strings.Contains(raw, "Content-Type: application/json\r\n") ||
				!strings.Contains(raw, "Content-Length: ") || !strings.Contains(raw, "X-Content-Type-Options: nosniff") {
				t.Errorf("honest request: %s", raw)
			}
			if got := status1(t, r.raw(strings.Replace(request, "{token}", strings.Repeat("0", 64), 1))); got != 401 {
				t.Errorf("without the token: %d", got)
			}
			if got := status1(t, r.raw(strings.Replace(request, "{host}", "evil.com", 1))); got != 403 {
				t.Errorf("under another name: %d", got)
			}
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "post"} {
				if method == route.method {
					continue
				}
				raw := r.raw(strings.Replace(get(route.path), "GET", method, 1))
				_, body := answers(t, raw)
				if status1(t, raw) != 405 || !strings.Contains(raw, "Allow: "+route.method+"\r\n") || errorCode(t, body) != "wrong_method" {
					t.Errorf("%s: %s", method, raw)
				}
			}
			for _, path := range []string{route.path + "/", "/" + route.path, route.path + "//", "/x/.." + route.path, "/." + route.path,
				strings.ToUpper(route.path), "/%" + strconv.FormatInt(int64(route.path[1]), 16) + route.path[2:], route.path + "%00", route.path + ";x"} {
				if got := status1(t, r.raw(strings.Replace(request, route.path, path, 1))); got != 404 {
					t.Errorf("%s: %d", path, got)
				}
			}
		})
	}
	if raw := r.raw(strings.Replace(get("/pets"), "GET", "HEAD", 1)); !strings.HasPrefix(raw, "HTTP/1.1 405 ") {
		t.Errorf("HEAD: %s", raw)
	}
}

func TestUnknownPaths(t *testing.T) {
	r := start(t)
	for _, path := range []string{"/", "/favicon.ico", "/pets.json", "/../pets", "*", "/say%2f"} {
		status, body := r.ask("GET", path, "")
		if status != 404 || errorCode(t, body) != "no_such_path" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestLists(t *testing.T) {
	r := start(t)
	if _, body := r.ask("GET", "/pets", ""); body != `[{"id":"momo","name":"Momo","state":"idle"}]` {
		t.Errorf("GET /pets: %s", body)
	}
	want := `{"version":"v1","heard":{"claude":"2026-11-30T12:04:00Z"},"friends":[{"id":"momo","name":"Momo","state":"idle","sentence":"","sessions":[],"activities":[]}]}`
	if _, body := r.ask("GET", "/status", ""); body != want {
		t.Errorf("GET /status: %s", body)
	}
}

type nobody struct{ *app }

func (nobody) Friends() []agents.Friend { return nil }
func (nobody) Status() []agents.Status  { return nil }

func TestEmptyLists(t *testing.T) {
	for route, want := range map[string]string{"/pets": `[]`, "/status": `{"version":"v1","heard":{"claude":"2026-11-30T12:04:00Z"},"friends":[]}`} {
		found, _ := find("GET", route)
		reply, err := found.answer(nobody{&app{}}, nil)
		if got, _ := json.Marshal(reply); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", route, got, err)
		}
	}
}

// What gets through, and what the app is told.
func TestAccepted(t *testing.T) {
	r := start(t)
	name := strings.Repeat("n", agents.MaxField)
	for _, c := range []struct{ path, body, told string }{
		{"/events", `{"state":"idle"}`, "report|idle||||"},
		{"/events", `{"state":"working","message":"@tool Bash"}`, "report|working|@tool Bash|||"},
		{"/events", `{"pet":"momo","state":"waiting","message":"","agent":"claude","session":"s1","project":"shop"}`, "report|waiting||claude|s1|shop"},
		{"/events", `{"state":"waiting","session":"s1","part":"main"}`, "report|waiting|||s1||main"},
		{"/events", `{"state":"working","session":"s1","begins":true}`, "report|working|||s1||begins"},
		{"/events", `{"state":"working","session":"s1","begins":null}`, "report|working|||s1|"},
		{"/events", `{"petId":"MOMO","state":"done"}`, "report|done||||"},
		{"/events", `{"pet":"momo","petId":"momo","state":"error"}`, "report|error||||"},
		{"/events", `{"pet":"","petId":"momo","state":"error"}`, "report|error||||"},
		{"/events", `{"pet":null,"state":"done","message":null}`, "report|done||||"},
		{"/events", `{"state":"done","agent":"` + name + `"}`, "report|done||" + name + "||"},
		// Newer clients may send more.
		{"/events", `{"state":"done","mood":{"a":[1,{"state":"error"}]},"":0}`, "report|done||||"},
		// Keys are exact: another spelling is an unknown key.
		{"/events", `{"state":"done","STATE":"error","Message":"no"}`, "report|done||||"},
		// Of a path, only the last name goes on, and nothing invisible in it.
		{"/events", `{"state":"done","project":"/home/me/secret/shop"}`, "report|done||||shop"},
		{"/events", `{"state":"done","project":"/home/me/shop/"}`, "report|done||||shop"},
		{"/events", `{"state":"done","project":"C:\\Users\\me\\shop\\"}`, "report|done||||shop"},
		{"/events", `{"state":"done","project":"my \u202eshop"}`, "report|done||||my shop"},
		{"/events", `{"state":"done","project":"/"}`, "report|done||||"},
		{"/events", `{"state":"done","project":"/` + strings.Repeat("long/", 200) + `shop"}`, "report|done||||shop"},
		{"/say", `{"message":"hi"}`, "say|hi"},
		{"/say", `{"pet":"Momo","message":"  two \n lines "}`, "say|two lines"},
		// A person who types a code means the text.
		{"/say", `{"message":"@thinking"}`, "say|@thinking"},
		{"/say", `{"message":"\ud800 lone"}`, "say|\uFFFD lone"},
		{"/say", "{\"message\":\"\xff\"}", "say|\uFFFD"},
		{"/react", `{"action":"wave"}`, "react|wave"},
		{"/react", `{"pet":"momo","action":"jump"}`, "react|jump"},
		{"/react", `{"pet":"momo","action":"pet"}`, "react|pet"},
		{"/open", `{}`, "open|"},
		{"/open", `{"link":"playpets://import?url=x"}`, "open|playpets://import?url=x"},
		{"/open", `{"link":"` + strings.Repeat("x", maxLink) + `"}`, "open|" + strings.Repeat("x", maxLink)},
		{"/open", " \r\n\t{ } \n", "open|"},
		{"/copy", `{"agent":"codex","name":"notify"}`, "copy|codex|notify"},
		{"/notify", `{}`, "notify"},

		// With a lease, what is said is a model's: its own words, whatever they look like.
		{"/events", `{"state":"working","leaseId":"lease-1"}`, "report|working|||||lease-1"},
		{"/events", `{"state":"waiting","message":"Editing src/main.go","agent":"a","pet":"momo","leaseId":"lease-1"}`, "report|waiting|Editing src/main.go|a|||lease-1"},
		{"/events", `{"state":"waiting","message":"` + strings.Repeat("나", 240) + `","leaseId":"lease-1"}`, "report|waiting|" + strings.Repeat("나", 240) + "||||lease-1"},
		{"/events", `{"state":"done","message":"","leaseId":null}`, "report|done||||"},
		{"/events", `{"state":"done","message":"const x = 1","leaseId":""}`, "report|done|const x = 1|||"}, // a person's
		{"/say", `{"message":" let me check ","leaseId":"lease-1"}`, "say|let me check|lease-1"},
		{"/react", `{"action":"wave","leaseId":"lease-1"}`, "react|wave|lease-1"},
		{"/leases", `{}`, "lease||||0|"},
		{"/leases", `{"petId":"momo","agent":"claude","project":"/home/me/shop","pid":2147483647,"nonce":"` + name + `"}`, "lease|momo|claude|shop|2147483647|" + name},
		{"/leases", `{"pet":"nobody","pid":null,"nonce":null}`, "lease|nobody|||0|"},
		{"/leases/renew", `{"leaseId":"lease-1","x":1}`, "renew|lease-1"},
		{"/leases/release", `{"leaseId":"lease-1"}`, "release|lease-1"},
		{"/leases/release", `{"leaseId":"lease-2"}`, "release|lease-2"},
		{"/leases/release", `{}`, "release|"},
	} {
		status, body := r.ask("POST", c.path, c.body)
		want := `{"ok":true,"petId":"momo"}`
		switch c.path {
		case "/open":
			want = `{"ok":true}`
		case "/copy":
			want = `{"ok":true,"message":"Copied."}`
		case "/notify":
			want = `{"ok":true,"message":"Shown."}`
		case "/leases":
			want = leaseReply(c.told)
		case "/leases/renew":
			want = leaseReply("lease||")
		case "/leases/release":
			want = fmt.Sprintf(`{"ok":true,"released":%v}`, c.told == "release|lease-1")
		}
		if status != 200 || body != want {
			t.Errorf("%s %.80s: %d %s", c.path, c.body, status, body)
		}
		if told := r.app.heard(); told[len(told)-1] != c.told {
			t.Errorf("%s %.80s: told %.80q, want %.80q", c.path, c.body, told[len(told)-1], c.told)
		}
	}
}

// leaseReply is the reply to who took the lease that was told of.
func leaseReply(told string) string {
	reply := `{"leaseId":"lease-1","petId":"momo","petName":"Momo","usingDefault":false,"expiresAt":"2026-12-01T00:00:00Z"}`
	switch pet := strings.Split(told, "|")[1]; pet {
	case "":
		return strings.Replace(reply, "false", "true", 1)
	case "momo":
		return strings.Replace(reply, `"petId"`, `"requestedPetId":"momo","petId"`, 1)
	default:
		return strings.NewReplacer(`"petId"`, `"requestedPetId":"`+pet+`","petId"`, "false", `true,"fallbackReason":"pet_not_installed"`).Replace(reply)
	}
}

// What is refused, and that the app hears nothing of it.
func TestRefused(t *testing.T) {
	r := start(t)
	tooLong := strings.Repeat("n", agents.MaxField+1)
	deep := strings.Repeat(`[`, 3000)
	cases := []struct {
		path, body string
		status     int
		says       string // what the sentence must contain
	}{
		{"/events", `{}`, 400, "idle, working, waiting, done or error"},
		{"/events", `{"state":"busy"}`, 400, "idle, working, waiting, done or error"},
		{"/events", `{"state":"Working"}`, 400, "state"},
		{"/events", `{"STATE":"working"}`, 400, "state"},
		{"/events", `{"state":1}`, 400, "state must be a string"},
		{"/events", `{"state":["working"]}`, 400, "state must be a string"},
		{"/events", `{"state":"done","message":5}`, 400, "message must be a string"},
		{"/events", `{"state":"done","pet":7}`, 400, "pet must be a string"},
		{"/events", `{"state":"done","session":{}}`, 400, "session must be a string"},
		{"/events", `{"state":"done","pet":"momo","petId":"nana"}`, 400, "petId"},
		{"/events", `{"state":"done","agent":"` + tooLong + `"}`, 400, "128"},
		{"/events", `{"state":"done","session":"` + tooLong + `"}`, 400, "128"},
		{"/events", `{"state":"done","project":"` + tooLong + `"}`, 400, "128"},
		{"/events", `{"state":"done","part":"` + tooLong + `"}`, 400, "128"},
		{"/events", `{"state":"done","part":[]}`, 400, "part must be a string"},
		{"/events", `{"state":"working","begins":"yes"}`, 400, "begins must be true or false"},
		{"/events", `{"state":"done","agent":"a\u001b[31m"}`, 400, "control"},
		{"/events", `{"state":"done","session":"a\nb"}`, 400, "control"},
		{"/events", `{"state":"done","pet":"nobody"}`, 404, "GET /pets"},
		{"/events", `{"state":"done","pet":"../momo"}`, 404, "GET /pets"},
		{"/events", `{"state":"done","pet":"` + strings.Repeat("n", 7000) + `"}`, 404, "GET /pets"},
		{"/say", `{}`, 400, "blank"},
		{"/say", `{"message":""}`, 400, "blank"},
		{"/say", `{"message":" \t\u00a0\u3000\u2028"}`, 400, "blank"},
		{"/say", `{"message":"\u202e\u0007\u200b"}`, 400, "blank"},
		{"/say", `{"message":true}`, 400, "message must be a string"},
		{"/say", `{"pet":"nobody","message":"hi"}`, 404, "GET /pets"},
		{"/react", `{}`, 400, "wave, jump or pet"},
		{"/react", `{"action":"dance"}`, 400, "wave, jump or pet"},
		{"/react", `{"pet":"nobody","action":"wave"}`, 404, "GET /pets"},
		{"/copy", `{"agent":["claude"]}`, 400, "agent must be a string"},
		{"/copy", `{"agent":"claude","name":1}`, 400, "name must be a string"},
		{"/events", `{"state":"done","leaseId":"` + tooLong + `"}`, 400, "128"},
		{"/events", `{"state":"done","leaseId":"a\nb"}`, 400, "control"},
		{"/events", `{"state":"done","leaseId":1}`, 400, "leaseId must be a string"},
		{"/events", `{"state":"done","leaseId":"lease-2"}`, 404, "take a new one"},
		{"/events", `{"state":"done","leaseId":"lease-2","message":"see https://x.y"}`, 400, "URL"},
		{"/events", `{"state":"done","leaseId":"lease-1","message":"const x = 1"}`, 400, "code"},
		{"/events", `{"state":"done","leaseId":"lease-1","message":" "}`, 400, "240"},
		{"/events", `{"state":"done","leaseId":"lease-1","message":"` + strings.Repeat("x", 241) + `"}`, 400, "240"},
		{"/events", `{"state":"done","leaseId":"lease-1","message":"two\nlines"}`, 400, "one line"},
		{"/events", `{"state":"done","leaseId":"lease-1","pet":"nobody"}`, 404, "GET /pets"},
		{"/say", `{"leaseId":"lease-1"}`, 400, "blank"},
		{"/say", `{"leaseId":"lease-1","message":"the password: hunter2"}`, 400, "password"},
		{"/say", `{"leaseId":"lease-2","message":"hi"}`, 404, "take a new one"},
		{"/react", `{"leaseId":"lease-2","action":"wave"}`, 404, "take a new one"},
		{"/react", `{"leaseId":{},"action":"wave"}`, 400, "leaseId must be a string"},
		{"/leases", `{"pid":-1}`, 400, "pid"},
		{"/leases", `{"pid":2147483648}`, 400, "pid"},
		{"/leases", `{"pid":"7"}`, 400, "pid"},
		{"/leases", `{"pid":1.5}`, 400, "pid"},
		{"/leases", `{"pid":7,"nonce":"` + tooLong + `"}`, 400, "128"},
		{"/leases", `{"pet":"` + tooLong + `"}`, 400, "128"},
		{"/leases", `{"agent":"a\u0000"}`, 400, "control"},
		{"/leases", `{"pet":"momo","petId":"nana"}`, 400, "petId"},
		{"/leases/renew", `{}`, 404, "take a new one"},
		{"/leases/renew", `{"leaseId":"lease-2"}`, 404, "take a new one"},
		{"/leases/renew", `{"leaseId":["lease-1"]}`, 400, "leaseId must be a string"},
		{"/leases/renew", `{"leaseId":"` + tooLong + `"}`, 400, "128"},
		{"/leases/release", `{"leaseId":false}`, 400, "leaseId must be a string"},
		{"/open", `{"link":1}`, 400, "link must be a string"},
		{"/open", `{"link":"a\u0000b"}`, 400, "control"},
		{"/open", `{"link":"` + strings.Repeat("x", maxLink+1) + `"}`, 400, "2 KB"},
	}
	for path, body := range honest {
		for _, broken := range []string{
			"", " ", "null", "true", "1", `"x"`, "[]", "[" + body + "]", "{", "}", body[:len(body)-1],
			body + body, body + "x", body + "\x00", body + " ]", "\xef\xbb\xbf" + body, "\x00" + body, "// x\n" + body,
			`{"a":}`, `{a:1}`, `{'a':1}`, `{"a":1,}`, `{1:2}`, `{"a" "b"}`, `{"a":01}`, `{"a":NaN}`, "{\"a\":\"\n\"}", `{"a":"\x"}`,
			`{"a":` + deep + "1" + strings.ReplaceAll(deep, "[", "]") + `x}`,
			"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00", // {} by gzip
		} {
			cases = append(cases, struct {
				path, body string
				status     int
				says       string
			}{path, broken, 400, "JSON object"})
		}
	}
	for _, twice := range []string{`{"state":"done","state":"done"}`, `{"state":"done","x":1,"x":2}`, `{"state":"done","st\u0061te":"error"}`} {
		status, body := r.ask("POST", "/events", twice)
		if status != 400 || !strings.Contains(body, "once") {
			t.Errorf("%s: %d %s", twice, status, body)
		}
	}
	for _, c := range cases {
		status, body := r.ask("POST", c.path, c.body)
		if status != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %.80q: %d %s", c.path, c.body, status, body)
		}
		errorCode(t, body)
	}
	if told := r.app.heard(); len(told) > 0 {
		t.Errorf("the app heard %q", told)
	}
}

func TestContentType(t *testing.T) {
	r := start(t)
	for kind, want := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, "Application/JSON": 200,
		"text/plain": 400, "application/x-www-form-urlencoded": 400, "multipart/form-data; boundary=x": 400,
		"": 400, "text/plain; application/json": 400, "application/jsonp": 400, "application/json, text/plain": 400,
	} {
		request := strings.Replace(post("/say", honest["/say"]), "application/json", kind, 1)
		if got := status1(t, r.raw(request)); got != want {
			t.Errorf("Content-Type %q: %d, want %d", kind, got, want)
		}
	}
}
