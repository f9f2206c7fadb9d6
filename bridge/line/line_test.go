package line

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

var token = strings.Repeat("0123456789abcdef", 4)

func TestMain(m *testing.M) {
	if path := os.Getenv("LINE_TEST_PUBLISH"); path != "" {
		publishForEver(path)
	}
	goleak.VerifyTestMain(m)
}

// folder is an app's data folder: its bridge.json to be, with the lock held.
func folder(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data", "bridge.json")
	l, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Release() })
	return path
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFindWhatWasPublished(t *testing.T) {
	path := folder(t)
	if err := Publish(path, Endpoint{Port: 4321, Token: token, PID: 99}); err != nil {
		t.Fatal(err)
	}
	got, err := Find(path)
	if want := (Endpoint{Port: 4321, Token: token}); err != nil || got != want {
		t.Fatalf("Find = %+v, %v", got, err)
	}
	data, err := os.ReadFile(path)
	if want := `{"port":4321,"token":"` + token + `","pid":99}` + "\n"; err != nil || string(data) != want {
		t.Errorf("bridge.json: %s, %v", data, err)
	}
}

// While nobody holds the lock, nothing else is looked at.
func TestFindWithoutApp(t *testing.T) {
	whole := `{"port":4321,"token":"` + token + `"}`
	dir := t.TempDir()
	for name, prepare := range map[string]func(path string){
		"nothing":               func(string) {},
		"stale file":            func(path string) { write(t, path, whole) },
		"stale file, free lock": func(path string) { write(t, path, whole); write(t, path+".lock", "") },
		"broken file":           func(path string) { write(t, path, "{") },
	} {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		prepare(path)
		before, _ := os.ReadDir(dir)
		if _, err := Find(path); err != ErrNotRunning {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadDir(dir); len(after) != len(before) {
			t.Errorf("%s: looking left something behind: %v", name, after)
		}
	}
	for _, path := range []string{dir, "", filepath.Join(dir, "no", "such", "folder.json")} {
		if _, err := Find(path); err != ErrNotRunning {
			t.Errorf("%q: %v", path, err)
		}
	}
	relative := "bridge.json"
	t.Chdir(dir)
	if _, err := Find(relative); err != ErrNotRunning {
		t.Errorf("%q: %v", relative, err)
	}
}

// The app is starting or stopping.
func TestFindBeforePublish(t *testing.T) {
	if _, err := Find(folder(t)); err != ErrNotRunning {
		t.Error(err)
	}
}

func TestFindBrokenFile(t *testing.T) {
	path := folder(t)
	secret := "5ec2e7" + token[6:]
	good := `{"port":4321,"token":"` + secret + `"}`
	for text, want := range map[string]string{
		good:                      "",
		"\xef\xbb\xbf" + good:     "",
		" \r\n\t" + good + "\r\n": "",
		strings.ToUpper(secret):   "not a JSON object",
		`{"token":"` + strings.ToUpper(secret) + `","port":4321}`:                                     "",
		`{"pid":1,"url":"http://evil.com","x":{"port":1,"a":[{},[],"]}\"",-1.5e+3,null]},` + good[1:]: "",
		`{"host":"evil.com","port":4321,"token":"` + secret + `","":{}}`:                              "",
		`{"port":4321,"token":"` + secret + `",}`:                                                     "",
		"":                                       "not a JSON object",
		"{":                                      "not a JSON object",
		"[]":                                     "not a JSON object",
		"null":                                   "not a JSON object",
		good + good:                              "not a JSON object",
		good[:len(good)-1]:                       "not a JSON object",
		good[:40]:                                "not a JSON object",
		`{"port" 4321}`:                          "not a JSON object",
		`{"port":}`:                              "not a JSON object",
		`{"port":4321 "token":"` + secret + `"}`: "not a JSON object",
		`{port:4321}`:                            "not a JSON object",
		"{}":                                     "no usable port",
		`{"token":"` + secret + `"}`:             "no usable port",
		`{"port":"4321","token":"` + secret + `"}`:           "no usable port",
		`{"port":"x","token":5}`:                             "no usable port",
		`{"port":70000,"token":"` + secret + `"}`:            "no usable port",
		`{"port":65536,"token":"` + secret + `"}`:            "no usable port",
		`{"port":0,"token":"` + secret + `"}`:                "no usable port",
		`{"port":-1,"token":"` + secret + `"}`:               "no usable port",
		`{"port":1e3,"token":"` + secret + `"}`:              "no usable port",
		`{"port":8.5,"token":"` + secret + `"}`:              "no usable port",
		`{"port":[4321],"token":"` + secret + `"}`:           "no usable port",
		`{"port":99999999999999999999,"token":"t"}`:          "no usable port",
		`{"PORT":4321,"token":"` + secret + `"}`:             "no usable port",
		`{"port":4321}`:                                      "no usable token",
		"\xef\xbb\xbf" + `{"port":1,"token":"t"}`:            "no usable token",
		`{"port":4321,"token":5}`:                            "no usable token",
		`{"port":4321,"token":null}`:                         "no usable token",
		`{"port":4321,"token":["` + secret + `"]}`:           "no usable token",
		`{"port":4321,"token":"` + secret[1:] + `"}`:         "no usable token",
		`{"port":4321,"token":"` + secret + `0"}`:            "no usable token",
		`{"port":4321,"token":"` + secret[:62] + `\r"}`:      "no usable token",
		`{"port":4321,"token":"` + secret[:63] + `g"}`:       "no usable token",
		`{"port":4321,"token":"` + secret + `","token":"x"}`: "no usable token",
		`{"port":4321,"token":"` + secret + `","token":5}`:   "no usable token",
		good + strings.Repeat(" ", maxFile-len(good)):        "",
		good + strings.Repeat(" ", maxFile-len(good)+1):      "too long",
		`{"x":` + strings.Repeat("[", maxFile-10) + "}":      "not a JSON object",
		`{"x":"` + strings.Repeat(`\`, 3) + "}":              "not a JSON object",
	} {
		write(t, path, text)
		e, err := Find(path)
		if want == "" {
			if err != nil || e.Port != 4321 || !strings.EqualFold(e.Token, secret) {
				t.Errorf("%.90q: %+v, %v", text, e, err)
			}
			continue
		}
		if err == nil || errors.Is(err, ErrNotRunning) || !strings.HasPrefix(err.Error(), "read "+path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.90q: %v, want %s", text, err, want)
		} else if strings.Contains(strings.ToLower(err.Error()), "5ec2e7") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.90q: quotes: %v", text, err)
		}
	}
}

func TestFindRefusesFolders(t *testing.T) {
	path := folder(t)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(path); err == nil || errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), path) {
		t.Errorf("a folder: %v", err)
	}
}

// Error values that clients compare must stay what the kernel said.
func TestFindKeepsCauses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "")
	_, err := Find(filepath.Join(path, "bridge.json"))
	if err != ErrNotRunning && !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
}

// A held lock that nobody may look at is not taken for a free one.
func TestFindUnreadableLock(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("root and Windows may read everything")
	}
	path := folder(t)
	if err := os.Chmod(path+".lock", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(path); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

func FuzzBridgeFile(f *testing.F) {
	for _, text := range []string{`{"port":1,"token":"` + token + `"}`, "\xef\xbb\xbf{}", `{"a":[{"b":"\""}]}`, `{"port":1e3,"token":null}`, "{", `{"a":`, `{"":tru}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := parse(data)
		if err != nil {
			if e != (Endpoint{}) || len(token) > 0 && strings.Contains(err.Error(), token) {
				t.Errorf("%q: %+v, %v", data, e, err)
			}
			return
		}
		if e.Port < 1 || e.Port > 65535 || len(e.Token) != 64 || strings.Trim(e.Token, "0123456789abcdefABCDEF") != "" {
			t.Errorf("%q: %+v", data, e)
		}
		if again, err := parse(format(e)); err != nil || again != e {
			t.Errorf("%+v, written and read: %+v, %v", e, again, err)
		}
	})
}

func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bridge.json")
	check := func(want bool) {
		t.Helper()
		if got, err := Held(path); got != want || err != nil {
			t.Errorf("held %t, %v; want %t", got, err, want)
		}
	}
	check(false)
	if _, err := os.Lstat(path + ".lock"); err == nil {
		t.Error("asking created the lock")
	}
	lock, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	check(true)
	lock.Release()
	check(false)
}
