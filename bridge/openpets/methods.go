package openpets

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/agents/speech"
)

// methods are all there are.
var methods = map[string]func(b Backend, params fields) (any, error){
	"hello":              hello,
	"status":             status,
	"pets.list":          list,
	"pets.install":       install,
	"pets.install-local": install,
	"lease.acquire":      acquire,
	"lease.heartbeat":    heartbeat,
	"lease.release":      release,
	"pet.react":          react,
	"pet.say":            say,
	"pet.showMedia":      showMedia,
}

// object is a result; its keys are OpenPets' own.
type object = map[string]any

func hello(b Backend, _ fields) (any, error) {
	return object{"ok": true, "protocol": protocol, "protocolVersion": version, "appVersion": b.Version()}, nil
}

// status is the app's, or that of a lease.
func status(b Backend, params fields) (any, error) {
	id, err := params.lease()
	if err != nil {
		return nil, err
	}
	if id != "" {
		return leaseStatus(b, id), nil
	}
	first := b.Pets()[0]
	seen := first.Unseen == ""
	return object{
		"ok": true, "appRunning": true, "protocolVersion": version, "appVersion": b.Version(), "defaultPet": pet(first),
		"paused": false, "defaultPetVisible": seen, "openDefaultPetOnLaunch": true, "speechBubblesEnabled": seen,
	}, nil
}

func leaseStatus(b Backend, id string) object {
	l, ok := b.Held(id)
	if !ok {
		return object{
			"ok": false, "appRunning": true, "leaseId": id, "leaseActive": false, "staleReason": "unknown_lease",
			"usingDefaultPet": true, "routingImplemented": true,
		}
	}
	s := lease(l)
	s["ok"], s["appRunning"], s["routingImplemented"] = true, true, true
	if l.Requested != "" {
		s["configuredPetId"] = l.Requested
	}
	return s
}

// list lists as many as one answer has room for.
func list(b Backend, _ fields) (any, error) {
	const others = 1 << 10 // bytes that are left for the rest of the answer
	all := b.Pets()
	pets, size := []json.RawMessage{}, 0
	for _, p := range all {
		one, err := json.Marshal(pet(p))
		if err != nil {
			return nil, err
		}
		if size += len(one) + len(","); size > maxMessage-others {
			break
		}
		pets = append(pets, one)
	}
	return object{"ok": true, "pets": pets, "defaultPetId": all[0].ID}, nil
}

func pet(p Pet) object {
	return object{"id": p.ID, "displayName": p.Name, "builtIn": p.Builtin, "broken": false}
}

// install is refused: what a friend is fetched from is the person's choice.
func install(Backend, fields) (any, error) { return nil, errInstall }

func acquire(b Backend, params fields) (any, error) {
	r := agents.LeaseRequest{Agent: agent}
	var err error
	if r.Pet, err = params.text("requestedPetId"); err != nil {
		return nil, err
	}
	if r.Nonce, err = params.text("sessionNonce"); err != nil {
		return nil, err
	}
	if len(r.Pet) > agents.MaxField || len(r.Nonce) > agents.MaxField {
		return nil, invalid("requestedPetId and sessionNonce have at most 128 bytes.")
	}
	if json.Unmarshal(params["clientPid"], &r.PID) != nil || r.PID < 0 || r.PID > math.MaxInt32 {
		r.PID = 0 // not known
	}
	return lease(b.Lease(r)), nil
}

// agent is who reports through this door.
const agent = "openpets"

// lease is one as OpenPets has it: times in milliseconds.
func lease(l agents.Lease) object {
	kind := "explicit"
	if l.UsingDefault {
		kind = "default"
	}
	o := object{
		"leaseId": l.ID, "targetKind": kind, "actualTargetPetId": l.PetID, "actualTargetPetName": l.PetName,
		"usingDefaultPet": l.UsingDefault, "expiresAt": l.Expires.UnixMilli(), "leaseActive": true,
	}
	if l.Requested != "" {
		o["requestedPetId"] = l.Requested
	}
	if l.Fallback != "" {
		o["fallbackReason"] = l.Fallback
	}
	return o
}

func heartbeat(b Backend, params fields) (any, error) {
	id, err := params.lease()
	if err != nil {
		return nil, err
	}
	l, err := b.Renew(id)
	if err != nil {
		return nil, errLease
	}
	return object{"leaseId": l.ID, "expiresAt": l.Expires.UnixMilli()}, nil
}

func release(b Backend, params fields) (any, error) {
	id, err := params.lease()
	if err != nil {
		return nil, err
	}
	return object{"released": b.Release(id)}, nil
}

func react(b Backend, params fields) (any, error) {
	r, err := reaction(params, true)
	if err != nil {
		return nil, err
	}
	return show(b, params, r, "")
}

func say(b Backend, params fields) (any, error) {
	message, err := params.text("message")
	if err != nil {
		return nil, err
	}
	if err := speech.Check(message, speech.OpenPets); err != nil {
		return nil, invalid(err.Error())
	}
	r, err := reaction(params, false)
	if err != nil {
		return nil, err
	}
	return show(b, params, r, agents.Plain(message))
}

// showMedia is accepted and not shown, as by an OpenPets that is paused.
func showMedia(Backend, fields) (any, error) {
	return object{"ok": true, "shown": false, "reason": "PlayPets shows no pictures."}, nil
}

// reaction is the one that the params name.
func reaction(params fields, required bool) (r agents.OpenPetsReaction, err error) {
	name, err := params.text("reaction")
	if err != nil || name == "" && !required {
		return r, err
	}
	r, known := agents.OpenPetsNamed(name)
	if !known {
		return r, invalid("reaction must be one of " + strings.Join(agents.OpenPetsNames(), ", ") + ".")
	}
	return r, nil
}

// show has a friend show a reaction with a sentence; either may be missing.
func show(b Backend, params fields, r agents.OpenPetsReaction, message string) (any, error) {
	id, err := params.lease()
	if err != nil {
		return nil, err
	}
	l, held := b.Held(id)
	if id != "" && !held {
		return nil, errLease
	}
	petID, err := tell(b, id, r, message)
	if _, held = b.Held(id); err != nil && id != "" && !held {
		return nil, errLease // it has just ended
	}
	if err != nil {
		return nil, err
	}
	o := object{"ok": true, "shown": true}
	if r.Name != "" {
		o["reaction"] = r.Name
	}
	if id != "" && !l.UsingDefault {
		o["leaseId"] = id
	}
	for _, p := range b.Pets() {
		if p.ID == petID && p.Unseen != "" {
			o["shown"], o["reason"] = false, p.Unseen
		}
	}
	return o, nil
}

// tell makes one report of a state and its sentence, so that they are one bubble.
func tell(b Backend, lease string, r agents.OpenPetsReaction, message string) (petID string, err error) {
	to := agents.Target{Lease: lease}
	if r.State != "" {
		return b.Report(agents.Report{Agent: agent, Lease: lease, State: r.State, Message: agents.Words(message)})
	}
	if r.Reaction != "" {
		if petID, err = b.React(to, r.Reaction); err != nil {
			return "", err
		}
	}
	if message != "" {
		return b.Say(to, message)
	}
	return petID, nil
}
