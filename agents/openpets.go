package agents

// OpenPetsReaction is a word of OpenPets for what its agent does, and what of
// ours that is: a state to report or a gesture to make, and the row of the sheet
// that a friend plays then.
type OpenPetsReaction struct {
	Name     string
	State    State    // empty: a gesture
	Reaction Reaction // empty: a state
	Row      string
}

// OpenPets is the table of them, in OpenPets' order. Testing is work and no
// waiting, as OpenPets draws it: here a friend that waits needs the person.
var OpenPets = []OpenPetsReaction{
	{Name: "idle", State: Idle, Row: "idle"},
	{Name: "thinking", State: Working, Row: "running"},
	{Name: "working", State: Working, Row: "running"},
	{Name: "editing", State: Working, Row: "running"},
	{Name: "running", State: Working, Row: "running"},
	{Name: "testing", State: Working, Row: "running"},
	{Name: "waiting", State: Waiting, Row: "waiting"},
	{Name: "waving", Reaction: Wave, Row: "waving"},
	{Name: "success", State: Done, Row: "jumping"},
	{Name: "error", State: Error, Row: "failed"},
	{Name: "celebrating", Reaction: Jump, Row: "jumping"},
}

// OpenPetsNames are their names, in that order.
func OpenPetsNames() (names []string) {
	for _, r := range OpenPets {
		names = append(names, r.Name)
	}
	return names
}

// OpenPetsNamed finds a reaction by its name.
func OpenPetsNamed(name string) (OpenPetsReaction, bool) {
	for _, r := range OpenPets {
		if r.Name == name {
			return r, true
		}
	}
	return OpenPetsReaction{}, false
}
