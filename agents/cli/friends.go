package cli

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

// friends asks for all friends.
func (c *common) friends() ([]agents.Friend, error) {
	client, err := c.client()
	if err != nil {
		return nil, err
	}
	return client.Friends()
}

// only keeps those friends whom --pet names; without it, all. PLAYPETS_PET says
// where reports go and hides nobody from a list.
func only[T any](c *common, all []T, friend func(T) agents.Friend) ([]T, error) {
	if c.pet == "" {
		return all, nil
	}
	for _, one := range all {
		if f := friend(one); strings.EqualFold(f.ID, c.pet) || strings.EqualFold(f.Name, c.pet) {
			return []T{one}, nil
		}
	}
	return nil, c.noFriend(c.pet)
}

// nameOf is how people call the friend with that id.
func (c *common) nameOf(id string) string {
	friends, err := c.friends()
	if err != nil {
		return id
	}
	for _, f := range friends {
		if f.ID == id {
			return f.Name
		}
	}
	return id
}

// nearest lists up to three names, those first that are spelled most like word.
func nearest(word string, friends []agents.Friend) []string {
	word = strings.ToLower(word)
	far := func(f agents.Friend) int {
		return min(distance(word, strings.ToLower(f.Name)), distance(word, strings.ToLower(f.ID)))
	}
	sorted := slices.SortedStableFunc(slices.Values(friends), func(a, b agents.Friend) int {
		return cmp.Compare(far(a), far(b))
	})
	var names []string
	for _, f := range sorted[:min(3, len(sorted))] {
		names = append(names, f.Name)
	}
	return names
}

// distance is Levenshtein's, in code points. Cobra has one and keeps it to
// itself; no library of ours brings another.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			swap := diagonal
			if r != s {
				swap++
			}
			diagonal = row[j+1]
			row[j+1] = min(swap, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}

// patience is how long a person who pressed TAB waits for the app.
const patience = 200 * time.Millisecond

// completeFriends offers the friends' names.
func (c *common) completeFriends(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	answer := make(chan []cobra.Completion, 1)
	go func() {
		var names []cobra.Completion
		friends, _ := c.friends()
		for _, f := range friends {
			names = append(names, cobra.CompletionWithDesc(f.Name, string(f.State)))
		}
		answer <- names
	}()
	select {
	case names := <-answer:
		return names, cobra.ShellCompDirectiveNoFileComp
	case <-time.After(patience):
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}
