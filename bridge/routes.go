package bridge

import (
	"net/http"
	"strings"
	"unicode"

	"github.com/playpets/playpets/agents"
)

// A route answers one method on one path. POST takes a JSON object.
type route struct {
	method, path string
	answer       func(b Backend, f fields) (reply any, err error)
}

// routes are all there are.
var routes = []route{
	{http.MethodGet, "/pets", friends},
	{http.MethodGet, "/status", status},
	{http.MethodPost, "/events", report},
	{http.MethodPost, "/say", say},
	{http.MethodPost, "/react", react},
	{http.MethodPost, "/leases", lease},
	{http.MethodPost, "/leases/renew", renew},
	{http.MethodPost, "/leases/release", release},
	{http.MethodPost, "/open", open},
	{http.MethodPost, "/copy", copySnippet},
	{http.MethodPost, "/notify", notify},
}

// find looks a path up as it was sent: no cleaning, no redirect, no escapes.
// With a wrong method it names the right one in allow.
func find(method, path string) (found *route, allow string) {
	for i, r := range routes {
		if r.path == path && r.method == method {
			return &routes[i], ""
		}
		if r.path == path {
			allow = r.method
		}
	}
	return nil, allow
}

func friends(b Backend, _ fields) (any, error) {
	// A list is [] in JSON, never null.
	return append([]agents.Friend{}, b.Friends()...), nil
}

func status(b Backend, _ fields) (any, error) {
	reply := statusReply{b.Version(), b.Heard(), append([]agents.Status{}, b.Status()...)}
	for i := range reply.Friends {
		f := &reply.Friends[i]
		f.Sessions = append([]agents.Session{}, f.Sessions...)
		f.Activities = append([]agents.Activity{}, f.Activities...)
	}
	return reply, nil
}

func report(b Backend, f fields) (any, error) {
	r, err := f.report()
	if err != nil {
		return nil, err
	}
	id, err := b.Report(r)
	return accepted{true, id}, err
}

func say(b Backend, f fields) (any, error) {
	to, err := f.target()
	if err != nil {
		return nil, err
	}
	message, err := f.message(to.Lease)
	if err != nil {
		return nil, err
	}
	if message == "" {
		return nil, malformed("message must not be blank.")
	}
	id, err := b.Say(to, message)
	return accepted{true, id}, err
}

func react(b Backend, f fields) (any, error) {
	to, err := f.target()
	if err != nil {
		return nil, err
	}
	action, err := f.text("action")
	if err != nil {
		return nil, err
	}
	reaction := agents.Reaction(action)
	if !reaction.Valid() {
		return nil, malformed("action must be " + oneOf(agents.Reactions) + ".")
	}
	id, err := b.React(to, reaction)
	return accepted{true, id}, err
}

// lease keeps a friend on screen while whoever asks renews it.
func lease(b Backend, f fields) (any, error) {
	r, err := f.leaseRequest()
	if err != nil {
		return nil, err
	}
	return b.Lease(r), nil
}

func renew(b Backend, f fields) (any, error) {
	id, err := f.lease()
	if err != nil {
		return nil, err
	}
	return b.Renew(id)
}

func release(b Backend, f fields) (any, error) {
	id, err := f.lease()
	if err != nil {
		return nil, err
	}
	return released{true, b.Release(id)}, nil
}

// open shows the friends, or opens a playpets:// link, which the app judges.
func open(b Backend, f fields) (any, error) {
	link, err := f.text("link")
	if err != nil {
		return nil, err
	}
	if len(link) > maxLink || strings.ContainsFunc(link, unicode.IsControl) {
		return nil, malformed("link may have at most 2 KB, without control characters.")
	}
	return accepted{OK: true}, b.Open(link)
}

// copySnippet has the app put the settings of an agent on the clipboard: it
// lives on to serve them.
func copySnippet(b Backend, f fields) (any, error) {
	s, err := f.texts("agent", "name")
	if err != nil {
		return nil, err
	}
	message, err := b.Copy(s[0], s[1])
	return done{true, message}, err
}

// notify shows a notification, for people to see that they get them.
func notify(b Backend, _ fields) (any, error) {
	message, err := b.Notify()
	return done{true, message}, err
}
