package friends

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/playpets/playpets/agents"
)

// plain makes one safe line of s, at most n code points long, cut on a
// grapheme border.
func plain(s string, n int) string {
	s = agents.Plain(s)
	end, count := 0, 0
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if count += utf8.RuneCountInString(cluster); count > n {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}
