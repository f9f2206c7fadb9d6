package openpets

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/playpets/playpets/agents"
)

// TestMethods walks every method with good and bad params.
func TestMethods(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	const lease = `"actualTargetPetId":"momo","actualTargetPetName":"Momo","expiresAt":1234,`
	const explicit = `"actualTargetPetId":"kiki","actualTargetPetName":"Kiki",`
	asked := map[string]bool{}
	for _, c := range []struct{ method, params, want, told string }{
		{"hello", `{}`, `{"appVersion":"v1","ok":true,"protocol":"openpets-ipc","protocolVersion":1}`, ""},
		{"hello", `null`, `{"appVersion":"v1","ok":true,"protocol":"openpets-ipc","protocolVersion":1}`, ""},
		{"status", `{"leaseId":null}`, `{"appRunning":true,"appVersion":"v1","defaultPet":{"broken":false,"builtIn":true,"displayName":"Momo","id":"momo"},` +
			`"defaultPetVisible":true,"ok":true,"openDefaultPetOnLaunch":true,"paused":false,"protocolVersion":1,"speechBubblesEnabled":true}`, ""},
		{"status", `{"leaseId":"L1"}`, `{` + explicit + `"appRunning":true,"configuredPetId":"kiki","expiresAt":1234,"leaseActive":true,"leaseId":"L1",` +
			`"ok":true,"requestedPetId":"kiki","routingImplemented":true,"targetKind":"explicit","usingDefaultPet":false}`, ""},
		{"status", `{"leaseId":"gone"}`, `{"appRunning":true,"leaseActive":false,"leaseId":"gone","ok":false,"routingImplemented":true,` +
			`"staleReason":"unknown_lease","usingDefaultPet":true}`, ""},
		{"status", `{"leaseId":5}`, "invalid_params", ""},
		{"status", `{"leaseId":"a\nb"}`, "invalid_params", ""},
		{"status", `{"leaseId":"` + strings.Repeat("x", 121) + `"}`, "invalid_params", ""},
		{"pets.list", `{}`, `{"defaultPetId":"momo","ok":true,"pets":[{"broken":false,"builtIn":true,"displayName":"Momo","id":"momo"},` +
			`{"broken":false,"builtIn":false,"displayName":"Kiki","id":"kiki"}]}`, ""},
		{"pets.install", `{"petId":"x"}`, "install_failed", ""},
		{"pets.install-local", `{"path":"/x","kind":"zip"}`, "install_failed", ""},
		{"lease.acquire", `{}`, `{` + lease + `"leaseActive":true,"leaseId":"L1","targetKind":"default","usingDefaultPet":true}`, "lease||openpets|0||"},
		{"lease.acquire", `{"requestedPetId":null,"clientPid":-1}`, `{` + lease + `"leaseActive":true,`, "lease||openpets|0||"},
		{"lease.acquire", `{"clientPid":"7"}`, `{` + lease + `"leaseActive":true,`, "lease||openpets|0||"},
		{"lease.acquire", `{"clientPid":1e99}`, `{` + lease + `"leaseActive":true,`, "lease||openpets|0||"},
		{"lease.acquire", `{"clientPid":4294967297}`, `{` + lease + `"leaseActive":true,`, "lease||openpets|0||"},
		{"lease.acquire", `{"requestedPetId":"kiki","clientPid":7,"sessionNonce":"n"}`, `{` + explicit + `"expiresAt":1234,"leaseActive":true,"leaseId":"L1",` +
			`"requestedPetId":"kiki","targetKind":"explicit","usingDefaultPet":false}`, "lease|kiki|openpets|7|n|"},
		{"lease.acquire", `{"requestedPetId":"nobody"}`, `{` + lease +
			`"fallbackReason":"pet_not_installed","leaseActive":true,"leaseId":"L1","requestedPetId":"nobody","targetKind":"default","usingDefaultPet":true}`,
			"lease|nobody|openpets|0||"},
		{"lease.acquire", `{"requestedPetId":["kiki"]}`, "invalid_params", ""},
		{"lease.acquire", `{"sessionNonce":"` + strings.Repeat("n", 129) + `"}`, "invalid_params", ""},
		{"lease.heartbeat", `{"leaseId":"L1"}`, `{"expiresAt":1234,"leaseId":"L1"}`, "lease|||0||"},
		{"lease.heartbeat", `{"leaseId":"gone"}`, "unknown_lease", ""},
		{"lease.heartbeat", `{}`, "unknown_lease", ""},
		{"lease.release", `{"leaseId":"L1"}`, `{"released":true}`, ""},
		{"lease.release", `{"leaseId":"gone"}`, `{"released":false}`, ""},
		{"pet.react", `{"reaction":"editing"}`, `{"ok":true,"reaction":"editing","shown":true}`, "report|working||openpets|"},
		{"pet.react", `{"reaction":"celebrating","leaseId":"L1"}`, `{"leaseId":"L1","ok":true,"reaction":"celebrating","shown":true}`, "react|jump|L1"},
		{"pet.react", `{"reaction":"success","leaseId":"D1"}`, `{"ok":true,"reaction":"success","shown":true}`, "report|done||openpets|D1"},
		{"pet.react", `{"reaction":"dance"}`, "invalid_params", ""},
		{"pet.react", `{}`, "invalid_params", ""},
		{"pet.react", `{"reaction":"editing","leaseId":"gone"}`, "unknown_lease", ""},
		{"pet.say", `{"message":"hello"}`, `{"ok":true,"shown":true}`, "say|hello|"},
		{"pet.say", `{"message":"  two\u202e  words ","reaction":null}`, `{"ok":true,"shown":true}`, "say|two words|"},
		{"pet.say", `{"message":"@all of it","reaction":"error","leaseId":"L1"}`, `{"leaseId":"L1","ok":true,"reaction":"error","shown":true}`, "report|error|＠all of it|openpets|L1"},
		{"pet.say", `{"message":"hello","reaction":"waving"}`, `{"ok":true,"reaction":"waving","shown":true}`, "react|wave| say|hello|"},
		{"pet.say", `{"message":"see https://x.example"}`, "invalid_params", ""},
		{"pet.say", `{"message":"a\nb"}`, "invalid_params", ""},
		{"pet.say", `{"message":"` + strings.Repeat("long ", 29) + `"}`, "invalid_params", ""},
		{"pet.say", `{"message":" "}`, "invalid_params", ""},
		{"pet.say", `{"message":7}`, "invalid_params", ""},
		{"pet.say", `{"message":"hello","reaction":"dance"}`, "invalid_params", ""},
		{"pet.showMedia", `{"path":"/x.png"}`, `{"ok":true,"reason":"PlayPets shows no pictures.","shown":false}`, ""},
		{"pet.dance", `{}`, "unknown_method", ""},
		{"", `{}`, "unknown_method", ""},
	} {
		asked[c.method] = true
		want := `{"id":"1","ok":true,"result":` + c.want
		if c.want[0] != '{' {
			want = `{"id":"1","ok":false,"error":{"code":"` + c.want + `","message":"`
		}
		if got := r.ask(c.method, c.params); !strings.HasPrefix(got, want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.method, c.params, got, want)
		}
		if told := strings.Join(r.app.heard(), " "); told != c.told {
			t.Errorf("%s %s: the app was told %q, want %q", c.method, c.params, told, c.told)
		}
	}
	for name := range methods {
		if !asked[name] {
			t.Errorf("nobody has asked for %s", name)
		}
	}
}

// TestReactions: each of OpenPets' is taken, and is a state or a gesture.
func TestReactions(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	for _, reaction := range agents.OpenPets {
		want := "report|" + string(reaction.State) + "|Hi there|openpets|"
		if reaction.State == "" {
			want = "react|" + string(reaction.Reaction) + "| say|Hi there|"
		}
		got := r.ask("pet.say", fmt.Sprintf(`{"message":"Hi there","reaction":%q}`, reaction.Name))
		if !strings.Contains(got, fmt.Sprintf(`"reaction":%q,"shown":true`, reaction.Name)) {
			t.Errorf("%s: %s", reaction.Name, got)
		}
		if told := strings.Join(r.app.heard(), " "); told != want {
			t.Errorf("%s: the app was told %q, want %q", reaction.Name, told, want)
		}
	}
}

// TestManyPets: a list that is longer than an answer is cut.
func TestManyPets(t *testing.T) {
	r := newRig(t)
	for i := range 1000 {
		r.app.more = append(r.app.more, Pet{ID: fmt.Sprintf("friend-%d", i), Name: strings.Repeat("<", 64)})
	}
	r.set(Auto)
	got := r.ask("pets.list", "{}")
	var answer struct {
		Result struct{ Pets []struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(got), &answer); err != nil || len(got) >= maxMessage {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if pets := answer.Result.Pets; len(pets) < 20 || pets[0].ID != "momo" || pets[2].ID != "friend-0" {
		t.Errorf("%d friends: %+v", len(pets), pets)
	}
}

// TestEndsMeanwhile: a lease that ends while something is said with it is told so.
func TestEndsMeanwhile(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	r.app.fail = func() error { r.app.ended = true; return errors.New("no such lease") }
	if got := r.ask("pet.say", `{"message":"hello","leaseId":"L1"}`); !strings.Contains(got, "unknown_lease") {
		t.Error(got)
	}
}

// TestUnseen: what nobody sees is told so.
func TestUnseen(t *testing.T) {
	r := newRig(t)
	r.app.unseen = "it is quiet"
	r.set(Auto)
	if got := r.ask("pet.say", `{"message":"hello"}`); !strings.Contains(got, `"reason":"it is quiet","shown":false`) {
		t.Error(got)
	}
}

// TestTrouble: the app's own trouble and panics are logged and not told.
func TestTrouble(t *testing.T) {
	r := newRig(t)
	r.set(Auto)
	token := r.card().Token
	for _, fail := range []func() error{
		func() error { return errors.New("the cause") },
		func() error { panic("a secret message") },
	} {
		r.app.mu.Lock()
		r.app.fail = fail
		r.app.mu.Unlock()
		if got := r.ask("pet.react", `{"reaction":"error"}`); !strings.Contains(got, "internal_error") || strings.Contains(got, "cause") || strings.Contains(got, "secret") {
			t.Error(got)
		}
		r.app.mu.Lock()
		r.app.fail = nil
		r.app.mu.Unlock()
		r.ask("hello", "{}")
	}
	log := r.log.String()
	if !strings.Contains(log, "the cause") || !strings.Contains(log, "panic") || strings.Contains(log, "secret") || strings.Contains(log, token) {
		t.Error(log)
	}
}
