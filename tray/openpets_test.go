//go:build unix && !darwin

package tray

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playpets/playpets/bridge"
	"github.com/playpets/playpets/bridge/openpets"
	"github.com/playpets/playpets/installer"
)

// petsClient is a program made for OpenPets, as far as it needs this place.
type petsClient struct {
	t    *testing.T
	file string
}

// openPetsPlace is a place of the test's own.
func openPetsPlace(t *testing.T) petsClient {
	c := petsClient{t, filepath.Join(t.TempDir(), "runtime", "ipc.json")}
	t.Setenv("OPENPETS_DISCOVERY_FILE", c.file)
	return c
}

// published is the discovery file; empty: there is none.
func (c petsClient) published() string {
	data, _ := os.ReadFile(c.file)
	return string(data)
}

// ask returns the answer to one request.
func (c petsClient) ask(method, params string) string {
	c.t.Helper()
	var card struct{ Endpoint, Token string }
	if err := json.Unmarshal([]byte(c.published()), &card); err != nil {
		c.t.Fatal(err)
	}
	conn, err := net.Dial("unix", card.Endpoint)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, `{"id":"1","version":1,"token":%q,"method":%q,"params":%s}`+"\n", card.Token, method, params)
	answer, err := io.ReadAll(conn)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(answer)
}

func (c petsClient) opens() {
	c.t.Helper()
	becomes(c.t, "the door for OpenPets' programs", func() bool { return c.published() != "" })
}

func (c petsClient) shuts() {
	c.t.Helper()
	becomes(c.t, "the end of the door", func() bool { return c.published() == "" })
}

// TestOpenPetsClient: what a program made for OpenPets says is shown, as what comes
// over the bridge is.
func TestOpenPetsClient(t *testing.T) {
	c := openPetsPlace(t)
	app := startApp(t, nil)
	c.opens()
	told := func(method, params, want string) (answer string) {
		t.Helper()
		if answer = c.ask(method, params); !strings.Contains(answer, want) {
			t.Errorf("%s %s: %s, want %s", method, params, answer, want)
		}
		return answer
	}
	sentence := func(friend int, want string) {
		t.Helper()
		all, err := bridge.NewClient(app.bridge).Status()
		if err != nil || all[friend].Sentence != want {
			t.Errorf("%+v, %v; want %q", all, err, want)
		}
	}
	told("pet.say", `{"message":"Nearly  there\u202e","reaction":"working"}`, `"reason":"there is no display","shown":false`)
	sentence(0, "Nearly there")
	told("pet.say", `{"message":"Zalgo`+strings.Repeat("\u0301", 50)+`","reaction":"working"}`, `"ok":true`)
	sentence(0, "Zalg\u00f3"+strings.Repeat("\u0301", 10))
	told("pet.say", `{"message":"@thinking","reaction":"error"}`, `"ok":true`)
	sentence(0, "\uff20thinking")

	var taken struct {
		Result struct{ LeaseID, ActualTargetPetID string }
	}
	answer := told("lease.acquire", fmt.Sprintf(`{"requestedPetId":"bori","clientPid":%d,"sessionNonce":"n"}`, os.Getpid()), `"targetKind":"explicit"`)
	if err := json.Unmarshal([]byte(answer), &taken); err != nil || taken.Result.ActualTargetPetID != "bori" {
		t.Fatal(answer, err)
	}
	lease := fmt.Sprintf(`"leaseId":%q`, taken.Result.LeaseID)
	told("status", "{"+lease+"}", `"actualTargetPetName":"Bori"`)
	told("lease.heartbeat", "{"+lease+"}", `"expiresAt":`)
	told("pet.say", `{"message":"My turn","reaction":"waiting",`+lease+"}", lease)
	sentence(1, "My turn")
	told("lease.release", "{"+lease+"}", `"released":true`)
	told("pet.react", `{"reaction":"success",`+lease+"}", "unknown_lease")
	told("pets.list", "{}", `"defaultPetId":"mochi"`)
	if all, err := bridge.NewClient(app.bridge).Status(); err != nil || len(all[1].Sessions) > 0 {
		t.Errorf("what was said with a lease has not ended with it: %+v, %v", all[1], err)
	}

	var card struct{ Token string }
	if err := json.Unmarshal([]byte(c.published()), &card); err != nil || len(card.Token) < 43 {
		t.Fatal(err)
	}
	app.stop()
	c.shuts()
	log, err := os.ReadFile(filepath.Join(app.data, "playpets.log"))
	if err != nil || strings.Contains(string(log), card.Token) || strings.Contains(string(log), "Nearly") || !strings.Contains(string(log), "OpenPets' clients can reach") {
		t.Errorf("%v\n%s", err, log)
	}
}

// TestOpenPetsModes: what the settings say takes effect while the app runs, and the
// doctor knows it.
func TestOpenPetsModes(t *testing.T) {
	c := openPetsPlace(t)
	check := func(want string) {
		t.Helper()
		wantChecks(t, []installer.Check{checkOpenPets(t.Context())}, "openpets "+want)
	}
	app := startApp(t, func(data string) { write(t, filepath.Join(data, "config.toml"), "[openpets]\nipc = \"off\"\n") })
	set := func(mode string) {
		t.Helper()
		write(t, filepath.Join(app.data, "config.toml"), fmt.Sprintf("[openpets]\nipc = %q\n", mode))
	}
	check(`ok do not reach the friends: ipc is "off"`)
	set(openpets.On)
	c.opens()
	check("ok programs made for OpenPets reach the friends")
	set(openpets.Off)
	c.shuts()
	set(openpets.Auto)
	c.opens()

	ours := c.published()
	other := startApp(t, nil) // another app, whose data are elsewhere
	becomes(t, "a word on the first app", func() bool {
		log, _ := os.ReadFile(filepath.Join(other.data, "playpets.log"))
		return strings.Contains(string(log), "another program answers OpenPets' clients")
	})
	other.stop()
	if c.published() != ours {
		t.Error("a second app has changed the place of the first")
	}
	t.Setenv("PLAYPETS_DATA", app.data)

	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	stranger := fmt.Sprintf(`{"protocol":"openpets-ipc","protocolVersion":1,"endpoint":"tcp://%s","token":"0123456789abcdef","appVersion":"9","pid":1,"platform":"linux"}`, door.Addr())
	write(t, c.file, stranger)
	check("ok another program answers")
	set(openpets.On)
	becomes(t, "the place", func() bool { return c.published() != stranger })
	write(t, c.file, stranger)
	check(`warn another program answers programs made for OpenPets, and ipc is "on"`)
	door.Close()
	check("warn though the app runs")
	app.stop()
	if c.published() != stranger {
		t.Error("at the end a stranger's file goes")
	}
	check("ok reach the friends when the app runs")
	write(t, c.file, "{}")
	check("warn find no friend: read ipc.json: the discovery file is none of OpenPets'")
}
