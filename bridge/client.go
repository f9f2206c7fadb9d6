package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/bridge/line"
)

// ErrNotRunning says that there is no app to speak to. No connection was made.
var ErrNotRunning = line.ErrNotRunning

// patience is how long one request of a client may take in all.
const patience = 3 * time.Second

// Client is the other end of the bridge. Each call finds the app anew, so it
// may be started, stopped and started again between two calls. Errors are
// ErrNotRunning, an *Error when the app refused, or what stood in the way.
type Client struct {
	path     string
	patience time.Duration
}

// NewClient speaks to the app of that bridge.json.
func NewClient(path string) *Client { return &Client{path, patience} }

// Within is the same client with at most so much time for each call.
func (c *Client) Within(d time.Duration) *Client { return &Client{c.path, d} }

// Friends lists the friends.
func (c *Client) Friends() ([]agents.Friend, error) {
	var reply []agents.Friend
	err := c.call(http.MethodGet, "/pets", nil, &reply)
	for i := range reply {
		plainFriend(&reply[i])
	}
	return reply, err
}

// App is what an app tells of itself.
type App struct {
	Version string               // "" of one that does not say
	Heard   map[string]time.Time // when each agent reported last; nil of one that does not say
	Friends []agents.Status
}

// App asks the app for all of that at once.
func (c *Client) App() (App, error) {
	var reply statusReply
	err := c.call(http.MethodGet, "/status", nil, &reply)
	for i := range reply.Friends {
		plainStatus(&reply.Friends[i])
	}
	return App{agents.Plain(reply.Version), reply.Heard, reply.Friends}, err
}

// Status lists the friends with what they do and did.
func (c *Client) Status() ([]agents.Status, error) {
	app, err := c.App()
	return app.Friends, err
}

// Report tells what an agent does; the friend that shows it is returned.
func (c *Client) Report(r agents.Report) (petID string, err error) {
	return c.post("/events", r)
}

// Say lets a friend say a sentence.
func (c *Client) Say(to agents.Target, message string) (petID string, err error) {
	return c.post("/say", struct {
		agents.Target
		Message string `json:"message"`
	}{to, message})
}

// React lets a friend make a gesture once.
func (c *Client) React(to agents.Target, r agents.Reaction) (petID string, err error) {
	return c.post("/react", struct {
		agents.Target
		Action agents.Reaction `json:"action"`
	}{to, r})
}

// Lease keeps a friend on screen for agents.LeaseTTL, unless it is renewed.
func (c *Client) Lease(r agents.LeaseRequest) (agents.Lease, error) {
	return c.lease("/leases", r)
}

// Renew has a lease live on, and tells which friend it is now. The error may be
// ErrUnknownLease.
func (c *Client) Renew(lease string) (agents.Lease, error) {
	return c.lease("/leases/renew", agents.Target{Lease: lease})
}

// Release ends a lease. One that has ended is no error.
func (c *Client) Release(lease string) error {
	return c.postTo("/leases/release", agents.Target{Lease: lease}, new(released))
}

func (c *Client) lease(path string, body any) (l agents.Lease, err error) {
	err = c.postTo(path, body, &l)
	plain(&l.ID, &l.Requested, &l.PetID, &l.PetName, &l.Fallback)
	if err == nil && (l.ID == "" || l.PetID == "") {
		err = fmt.Errorf("read the reply of PlayPets: %w", errOddReply)
	}
	return l, err
}

// Open makes the app show its friends, or open a link when there is one.
func (c *Client) Open(link string) error {
	_, err := c.post("/open", struct {
		Link string `json:"link,omitempty"`
	}{link})
	return err
}

// Copy has the app put a snippet on the clipboard, and says how that went.
func (c *Client) Copy(agent, name string) (message string, err error) {
	return c.ask("/copy", struct {
		Agent string `json:"agent"`
		Name  string `json:"name"`
	}{agent, name})
}

// Notify has the app show a test notification, and says who shows it.
func (c *Client) Notify() (message string, err error) {
	return c.ask("/notify", struct{}{})
}

// ask posts what is answered by a sentence.
func (c *Client) ask(path string, body any) (message string, err error) {
	var reply done
	err = c.postTo(path, body, &reply)
	return Clean(reply.Message), err
}

func (c *Client) post(path string, body any) (petID string, err error) {
	var reply accepted
	err = c.postTo(path, body, &reply)
	return agents.Plain(reply.PetID), err
}

func (c *Client) postTo(path string, body, reply any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.call(http.MethodPost, path, sent, reply)
}

// call makes one request and reads its reply, which is not trusted: line
// bounds it, and nothing of it reaches a terminal uncleaned.
func (c *Client) call(method, path string, body []byte, reply any) error {
	found, err := line.Find(c.path)
	if err != nil {
		return err
	}
	status, got, err := found.Exchange(method, path, body, c.patience)
	if err != nil {
		return fmt.Errorf("reach PlayPets: %w", err)
	}
	if status != http.StatusOK {
		return refusedBy(status, got)
	}
	if err := json.Unmarshal(got, reply); err != nil {
		return fmt.Errorf("read the reply of PlayPets: %w", errOddReply)
	}
	return nil
}

var errOddReply = errors.New("it is not what was asked for; is another version running?")

// refusedBy is the refusal in a reply, or what its status alone tells.
func refusedBy(status int, got []byte) *Error {
	var reply refusal
	if json.Unmarshal(got, &reply) != nil || reply.Error == nil || reply.Error.Message == "" {
		return &Error{status, "", fmt.Sprintf("PlayPets refused with HTTP status %d.", status)}
	}
	return &Error{status, agents.Plain(reply.Error.Code), Clean(reply.Error.Message)}
}

func plainStatus(s *agents.Status) {
	plainFriend(&s.Friend)
	plain(&s.Sentence, &s.Unseen)
	for i := range s.Sessions {
		x := &s.Sessions[i]
		plain(&x.Agent, &x.Session, &x.Project)
		plain(&x.State)
	}
	for i := range s.Activities {
		x := &s.Activities[i]
		plain(&x.Agent, &x.Sentence)
		plain(&x.State)
	}
}

func plainFriend(f *agents.Friend) {
	plain(&f.ID, &f.Name)
	plain(&f.State)
}

func plain[S ~string](texts ...*S) {
	for _, t := range texts {
		*t = S(agents.Plain(string(*t)))
	}
}
