package tray

import (
	"strings"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
	"github.com/playpets/playpets/i18n"
	"github.com/playpets/playpets/tray/overlay"
)

// text is a menu as one sees it.
func text(m overlay.Menu) string {
	lines := []string{m.Title}
	for _, item := range m.Items {
		if item.Label == "" {
			item.Label = "―"
		}
		lines = append(lines, item.Label)
	}
	return strings.Join(lines, " | ")
}

func TestFriendMenu(t *testing.T) {
	until := time.Date(2026, 11, 30, 15, 4, 0, 0, time.Local)
	mochi := func(s agents.State) agents.Friend { return agents.Friend{ID: "mochi", Name: "Mochi", State: s} }
	for _, tt := range []struct {
		lang   string
		friend agents.Friend
		quiet  time.Time
		last   bool
		want   string
	}{
		{"en", mochi(agents.Working), time.Time{}, false,
			"Mochi — working | Hide Mochi | Quiet for 1 hour | Send away… | ― | Settings… | Quit PlayPets"},
		{"en", mochi(agents.Waiting), until, true,
			"Mochi — needs you | Hide Mochi | End quiet (until 15:04) | ― | Settings… | Quit PlayPets"},
		{"ko", mochi(agents.Idle), time.Time{}, false,
			"Mochi — 쉬는 중 | Mochi 숨기기 | 1시간 동안 방해 금지 | 보내 주기… | ― | 설정… | PlayPets 종료"},
		{"ko", mochi(agents.Error), until, true,
			"Mochi — 문제가 생겼어요 | Mochi 숨기기 | 방해 금지 끄기 (15:04까지) | ― | 설정… | PlayPets 종료"},
	} {
		if got := text(friendMenu(i18n.New(tt.lang), tt.friend, tt.quiet, tt.last)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestAwayMenu(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Send Mochi away? Bori takes over its agents. Nothing is deleted. | Keep Mochi | Send away",
		"ko": "Mochi 친구를 보내 줄까요? 맡은 에이전트는 Bori 친구가 이어받아요. 지워지는 것은 없어요. | Mochi 보내지 않기 | 보내 주기",
	} {
		if got := text(awayMenu(i18n.New(lang), "Mochi", "Bori")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestEveryStateInTheMenu: each state has its words, and each item an id of its own.
func TestEveryStateInTheMenu(t *testing.T) {
	for _, l := range i18n.Languages() {
		words := i18n.New(l.Code)
		titles := map[string]bool{}
		for _, s := range agents.States {
			m := friendMenu(words, agents.Friend{Name: "Mochi", State: s}, time.Time{}, false)
			titles[m.Title] = true
			ids := map[string]bool{}
			for _, item := range m.Items {
				if strings.Contains(item.Label, "menu.") || item.Label != "" && ids[item.ID] {
					t.Errorf("%s: item %+v", l.Code, item)
				}
				ids[item.ID] = true
			}
		}
		if len(titles) != len(agents.States) {
			t.Errorf("%s: titles %v", l.Code, titles)
		}
	}
}
