package tray

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/snippets"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)

// sample is a desktop on which everything can be chosen.
func sample(lang string) view {
	return view{
		words: i18n.New(lang), now: noon,
		friends: []friendView{
			{id: "mochi", name: "Mochi", state: agents.Working, sessions: []agents.State{agents.Working}, shown: true, doing: []string{"Claude Code"}},
			{id: "bori", name: "Bori", state: agents.Waiting, sessions: []agents.State{agents.Waiting}, shown: true},
			{id: "ssak", name: "Ssak", state: agents.Idle},
		},
		agents: []agentView{
			{name: "claude", title: "Claude Code", last: noon.Add(-2 * time.Minute), copies: []copyItem{{"hooks", "~/.claude/settings.json"}}, mcp: true},
			{name: "codex", title: "Codex", pet: "bori", copies: []copyItem{{"notify", "~/.codex/config.toml"}, {"hooks", "~/.codex/hooks.json"}}, mcp: true},
			{name: "mcp", mcp: true},
		},
		size: 100, motion: "calm", language: lang,
		notices:  noticeSettings{done: true, failed: true, waiting: true, skipShort: true},
		canLogin: true, display: true, version: "1.0",
	}
}

// seated is the menu where everybody has just come.
func seated(v view) []item { return trayMenu(v, new(seating).sit(v.friends, v.now)) }

// lines are the menu as one reads it.
func lines(items []item, indent string) (all []string) {
	for _, i := range items {
		if i.hidden {
			continue
		}
		text := indent + [...]string{"", "☐ ", "✓ "}[i.mark] + i.label
		switch {
		case i.slot == "":
			text = indent + "―"
		case i.disabled:
			text = indent + "(" + i.label + ")"
		case i.items != nil:
			text += " ▸"
		}
		all = append(append(all, text), lines(i.items, indent+"  ")...)
	}
	return all
}

// walk visits a menu, hidden items as well.
func walk(items []item, visit func(item)) {
	for _, i := range items {
		visit(i)
		walk(i.items, visit)
	}
}

// at is the item in a slot.
func at(t *testing.T, items []item, slot string) (found item) {
	t.Helper()
	walk(items, func(i item) {
		if i.slot == slot {
			found = i
		}
	})
	if found.slot == "" {
		t.Fatalf("no slot %q", slot)
	}
	return found
}

func TestTrayMenu(t *testing.T) {
	for _, l := range i18n.Languages() {
		want, err := os.ReadFile("testdata/menu-" + l.Code + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(lines(seated(sample(l.Code)), ""), "\n") + "\n"; got != string(want) {
			t.Errorf("%s:\n%s", l.Code, got)
		}
	}
}

func TestTrayMenuSays(t *testing.T) {
	for _, tt := range []struct {
		name, slot, en, ko string // as lines has it; empty: hidden
		change             func(*view)
	}{
		{"rest", "summary", "(PlayPets — everyone is resting)", "(PlayPets — 모두 쉬는 중)", func(v *view) { v.friends[0].sessions, v.friends[1].sessions = nil, nil }},
		{"two working", "summary", "(PlayPets — 2 working, 1 needs you)", "(PlayPets — 작업 중 2, 확인 필요 1)", func(v *view) { v.friends[0].sessions = []agents.State{agents.Working, agents.Working} }},
		{"many states", "summary", "(PlayPets — 2 need you, 1 failed)", "(PlayPets — 확인 필요 2, 문제 1)", func(v *view) { v.friends[0].sessions = []agents.State{agents.Error, agents.Waiting} }},
		{"done", "summary", "(PlayPets — 1 working, 1 needs you, 1 done)", "(PlayPets — 작업 중 1, 확인 필요 1, 완료 1)", func(v *view) { v.friends[2].sessions = []agents.State{agents.Done} }},
		{"hidden friend", "friends/2", "Ssak — resting · hidden ▸", "Ssak — 쉬는 중 · 숨김 ▸", nil},
		{"failed", "friends/0", "Mochi — something failed · Claude Code, Codex ▸", "Mochi — 문제가 생겼어요 · Claude Code, Codex ▸", func(v *view) {
			v.friends[0].state, v.friends[0].doing = agents.Error, []string{"Claude Code", "Codex"}
		}},
		{"long name", "friends/0/away/yes", "Send " + strings.Repeat("한", 30) + "… away", strings.Repeat("한", 30) + "… 보내 주기", func(v *view) { v.friends[0].name = strings.Repeat("한", 31) }},
		{"name that fits", "friends/0/away/yes", "Send " + strings.Repeat("한", 30) + " away", strings.Repeat("한", 30) + " 보내 주기", func(v *view) { v.friends[0].name = strings.Repeat("한", 30) }},
		{"no seat left", "friends/more", "(and 2 more)", "(그 밖에 2명 더)", func(v *view) { v.friends = crowd(maxSeats + 2) }},
		{"just enough seats", "friends/more", "", "", func(v *view) { v.friends = crowd(maxSeats) }},
		{"the last one", "friends/0/away/ask", "(The only friend stays)", "(하나뿐인 친구는 남아 있어요)", func(v *view) { v.friends = v.friends[:1]; v.friends[0].last = true }},
		{"the last one", "friends/0/away/yes", "", "", func(v *view) { v.friends = v.friends[:1]; v.friends[0].last = true }},
		{"nobody", "agents/claude/first", "✓ First friend", "✓ 첫 번째 친구", func(v *view) { v.friends = nil }},
		{"friend of an agent that is gone", "agents/codex/first", "✓ First friend (Mochi)", "✓ 첫 번째 친구 (Mochi)", func(v *view) { v.agents[1].pet = "gone" }},
		{"never heard", "agents/codex/last", "(No event yet)", "(아직 소식 없음)", nil},
		{"just heard", "agents/claude/last", "(Last event: just now)", "(마지막 소식: 방금)", func(v *view) { v.agents[0].last = noon }},
		{"clock set back", "agents/claude/last", "(Last event: just now)", "(마지막 소식: 방금)", func(v *view) { v.agents[0].last = noon.Add(time.Hour) }},
		{"hours", "agents/claude/last", "(Last event: 23 h ago)", "(마지막 소식: 23시간 전)", func(v *view) { v.agents[0].last = noon.Add(-24*time.Hour + 1) }},
		{"a day", "agents/claude/last", "(Last event: 1 day ago)", "(마지막 소식: 1일 전)", func(v *view) { v.agents[0].last = noon.Add(-24 * time.Hour) }},
		{"days", "agents/claude/last", "(Last event: 3 days ago)", "(마지막 소식: 3일 전)", func(v *view) { v.agents[0].last = noon.Add(-72 * time.Hour) }},
		{"size nobody chose", "size/medium", "✓ Medium", "✓ 보통", func(v *view) { v.size = 0 }},
		{"size of one's own", "size/other", "✓ 120 %", "✓ 120 %", func(v *view) { v.size = 120 }},
		{"size of one's own", "size/medium", "☐ Medium", "☐ 보통", func(v *view) { v.size = 120 }},
		{"the system's motion", "motion/system", "✓ Same as the system", "✓ 시스템 설정 따르기", func(v *view) { v.motion = "" }},
		{"the system's language", "language/system", "✓ Same as the system", "✓ 시스템 설정 따르기", func(v *view) { v.language = "" }},
		{"loud", "quiet", "Quiet ▸", "방해 금지 ▸", nil},
		{"loud", "quiet/off", "", "", nil},
		{"quiet", "quiet", "Quiet — until 12:30 ▸", "방해 금지 — 12:30까지 ▸", func(v *view) { v.quiet = noon.Add(30 * time.Minute) }},
		{"quiet", "quiet/off", "Turn off now", "지금 끄기", func(v *view) { v.quiet = noon.Add(30 * time.Minute) }},
		{"quiet", "quiet/on", "☐ Until I turn it off", "☐ 끌 때까지", func(v *view) { v.quiet = noon.Add(30 * time.Minute) }},
		{"quiet for good", "quiet", "Quiet — until you turn it off ▸", "방해 금지 — 끌 때까지 ▸", func(v *view) { v.quiet = noEnd }},
		{"quiet for good", "quiet/on", "✓ Until I turn it off", "✓ 끌 때까지", func(v *view) { v.quiet = noEnd }},
		{"no display", "nodisplay", "(Friends cannot be shown here)", "(여기서는 친구를 보여 줄 수 없어요)", func(v *view) { v.display = false }},
		{"all hidden", "showall", "☐ Show friends", "☐ 친구 보이기", func(v *view) { v.friends[0].shown, v.friends[1].shown = false, false }},
		{"no display", "showall", "", "", func(v *view) { v.display = false }},
		{"no display", "size", "", "", func(v *view) { v.display = false }},
		{"no display", "friends/2", "Ssak — resting ▸", "Ssak — 쉬는 중 ▸", func(v *view) { v.display = false }},
		{"no display", "friends/0/show", "", "", func(v *view) { v.display = false }},
		{"a display", "nodisplay", "", "", nil},
		{"no login items here", "login", "", "", func(v *view) { v.canLogin = false }},
		{"at login", "login", "✓ Start at login", "✓ 로그인할 때 시작", func(v *view) { v.atLogin = true }},
	} {
		for lang, want := range map[string]string{"en": tt.en, "ko": tt.ko} {
			v := sample(lang)
			if tt.change != nil {
				tt.change(&v)
			}
			got := lines([]item{at(t, seated(v), tt.slot)}, "")
			if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
				t.Errorf("%s: %s: %q, want %q", lang, tt.name, got, want)
			}
		}
	}
}

// TestEveryCopyHasAPlace walks the agents that there are.
func TestEveryCopyHasAPlace(t *testing.T) {
	for _, agent := range snippets.Agents() {
		if a := new(app).agentView(agent, "", time.Time{}, nil); len(a.copies) > maxCopies || len(a.copies) == 0 && !a.mcp {
			t.Errorf("%s: %+v", agent, a)
		}
	}
}

// crowd is n friends.
func crowd(n int) (all []friendView) {
	for i := range n {
		all = append(all, friendView{id: fmt.Sprint("friend", i), name: fmt.Sprint("Friend ", i), state: agents.Idle})
	}
	return all
}

// TestTrayMenuPlaces: the menu has the same places at all times, each once; a
// group never loses all its items, for the line above it would stay; what can be
// chosen means something.
func TestTrayMenuPlaces(t *testing.T) {
	slots := func(items []item) (all []string) {
		walk(items, func(i item) { all = append(all, i.slot) })
		return all
	}
	want := slots(seated(sample("en")))
	for n, slot := range want {
		if slot != "" && slices.Index(want, slot) != n {
			t.Errorf("slot %q is there twice", slot)
		}
	}
	for name, change := range map[string]func(*view){
		"everything": func(*view) {},
		"nobody":     func(v *view) { v.friends = nil },
		"crowd":      func(v *view) { v.friends = crowd(40); v.agents[0].pet = "friend39" },
		"alone":      func(v *view) { v.friends = v.friends[:1]; v.friends[0].last = true; v.display = false },
		"nothing":    func(v *view) { *v = view{words: v.words, agents: v.agents} },
		"no settings to copy": func(v *view) {
			for i := range v.agents {
				v.agents[i].copies, v.agents[i].mcp = nil, false
			}
		},
	} {
		for _, l := range i18n.Languages() {
			v := sample(l.Code)
			change(&v)
			menu := seated(v)
			if got := slots(menu); !slices.Equal(got, want) {
				t.Errorf("%s: places %v, want %v", name, got, want)
			}
			if v.friends != nil {
				checkGroups(t, name, menu)
			}
			walk(menu, func(i item) {
				choice := i.slot != "" && !i.hidden && !i.disabled && i.items == nil
				if choice != (i.do.do != "") && !i.hidden {
					t.Errorf("%s: %s (%s) does %+v", name, i.slot, i.label, i.do)
				}
				if i.slot != "" && !i.hidden && (i.label == "" || strings.Contains(i.label, "tray.")) {
					t.Errorf("%s: %s says %q", name, i.slot, i.label)
				}
			})
		}
	}
}

// checkGroups wants something to read between two lines, and in each menu.
func checkGroups(t *testing.T, name string, items []item) {
	t.Helper()
	shown := 0
	for n, i := range items {
		if i.slot == "" && shown == 0 || n == len(items)-1 && shown == 0 && i.hidden {
			t.Errorf("%s: nothing above %+v", name, items[max(0, n-1)])
		}
		if i.slot == "" {
			shown = 0
		} else if !i.hidden {
			shown++
		}
		if i.items != nil && !i.hidden {
			checkGroups(t, name+" "+i.slot, i.items)
		}
	}
}

// TestMarks: of choices that exclude each other exactly one is made, and what
// is on asks to be turned off.
func TestMarks(t *testing.T) {
	for _, change := range []func(*view){
		func(*view) {},
		func(v *view) { v.size, v.motion, v.language, v.agents[1].pet = 0, "", "", "gone" },
		func(v *view) { v.size, v.motion, v.language, v.agents[1].pet = 300, "reduced", "ko", "ssak" },
	} {
		v := sample("en")
		change(&v)
		menu := seated(v)
		for _, slot := range []string{"size", "motion", "language", "agents/claude", "agents/codex"} {
			n := 0
			for _, i := range at(t, menu, slot).items {
				if i.mark == on {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %d choices are made", slot, n)
			}
		}
		walk(menu, func(i item) {
			if value := i.do.value; (value == "on" || value == "off") && (value == "off") != (i.mark == on) {
				t.Errorf("%s has mark %v and asks for %q", i.slot, i.mark, value)
			}
		})
	}
}

// TestSeatsRunOut: the seat that was left longest ago is given first, and only when
// no other is free and it has rested; who finds none waits for one.
func TestSeatsRunOut(t *testing.T) {
	var s seating
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	full := crowd(maxSeats)
	s.sit(full, now)
	s.sit(slices.Delete(slices.Clone(full), 5, 6), now)
	left := slices.Delete(slices.Clone(full), 2, 3)
	left = slices.Delete(left, 4, 5)
	now = now.Add(time.Second)
	s.sit(left, now)
	all := append(left, friendView{id: "new"}, friendView{id: "newer"}, friendView{id: "late"})
	for _, tt := range []struct {
		after     time.Duration
		five, two string
	}{{seatRest - 2*time.Second, "", ""}, {time.Second, "new", ""}} {
		now = now.Add(tt.after)
		if got := s.sit(all, now); got[5] != tt.five || got[2] != tt.two {
			t.Errorf("seats %q", got)
		}
	}
	got := s.sit(all, now.Add(time.Second))
	if got[5] != "new" || got[2] != "newer" || slices.Contains(got[:], "late") || got.taken() != maxSeats {
		t.Errorf("seats %q", got)
	}
}

func TestSeats(t *testing.T) {
	var s seating
	friends := func(ids ...string) (all []friendView) {
		for _, id := range ids {
			all = append(all, friendView{id: id})
		}
		return all
	}
	for _, tt := range []struct {
		friends []friendView
		want    string
	}{
		{friends("a", "b", "c"), "a b c"},
		{friends("c", "a", "b"), "a b c"},         // another first friend
		{friends("c", "b"), " b c"},               // one leaves
		{friends("c", "d", "b"), " b c d"},        // its seat is not taken while others are free
		{friends("c", "d", "b", "a"), " b c d a"}, // and it is a new guest when it comes again
		{nil, ""},
	} {
		got := s.sit(tt.friends, time.Time{}.Add(time.Hour))
		text := strings.TrimRight(strings.Join(got[:], " "), " ")
		if text != tt.want {
			t.Errorf("%v: %q, want %q", tt.friends, text, tt.want)
		}
	}
}
