package bridge

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

// fuzzed is a server without sockets, on port 1234.
func fuzzed(b Backend) *Server {
	r := &rig{}
	return newServer("", line.Endpoint{Port: 1234, Token: strings.Repeat("ab", 32)}, b, r.logger())
}

// A body does no harm, and what of it reaches the app keeps the promises of
// Backend.
func FuzzEventsBody(f *testing.F) {
	for _, body := range []string{
		`{"state":"working","message":"@tool Bash","agent":"claude","session":"s","project":"/a/b","part":"main"}`,
		`{"pet":"momo","petId":"momo","state":"done"}`, `{"state":"idle","x":[{"a":{}}]}`, "\xef\xbb\xbf{}", `{"a":1,"a":2}`,
		`{"state":"done","message":"\ud83d\ude00\u202e\u001b[0m"}`, `[`, `{"state":`, "{\"state\":\"done\",\"message\":\"\xff\"}",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got := &keeper{}
		request := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(string(body)))
		request.Host = "127.0.0.1:1234"
		request.Header.Set("Authorization", "Bearer "+strings.Repeat("ab", 32))
		request.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		fuzzed(got).ServeHTTP(w, request)
		if w.Code != 200 {
			if w.Code != 400 && w.Code != 404 && w.Code != 413 {
				t.Errorf("%q: %d", body, w.Code)
			}
			errorCode(t, w.Body.String())
			return
		}
		if len(body) > maxBody || !json.Valid(body) {
			t.Errorf("accepted %q", body)
		}
		r := got.report
		if !r.State.Valid() || utf8.RuneCountInString(r.Message) > agents.MaxMessage || Clean(r.Message) != r.Message {
			t.Errorf("%q: report %+v", body, r)
		}
		for _, name := range []string{r.Agent, r.Session, r.Project, r.Part} {
			if len(name) > agents.MaxField || strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
				t.Errorf("%q: name %q", body, name)
			}
		}
		if strings.ContainsAny(r.Project, `/\`) {
			t.Errorf("%q: project %q", body, r.Project)
		}
	})
}

// keeper keeps the last report.
type keeper struct {
	app
	report agents.Report
}

func (k *keeper) Report(r agents.Report) (string, error) {
	k.report = r
	return "momo", nil
}

// Of all names, two open the door.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"127.0.0.1:1234", "localhost:1234", "LOCALHOST:1234", "localhost.:1234", "[::1]:1234", "127.0.0.1.evil.com:1234", "", "locаlhost:1234", "localhoſt:1234"} {
		f.Add(host)
	}
	s := fuzzed(&app{})
	f.Fuzz(func(t *testing.T, host string) {
		request := httptest.NewRequest(http.MethodGet, "/pets", nil)
		request.Host = host
		request.Header.Set("Authorization", "Bearer "+strings.Repeat("ab", 32))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request)
		ascii := strings.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				return r + 'a' - 'A'
			}
			return r
		}, host)
		want := 403
		if ascii == "127.0.0.1:1234" || ascii == "localhost:1234" {
			want = 200
		}
		if w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	})
}
