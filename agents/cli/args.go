package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

// words accepts between least and most arguments.
func words(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "Usage: playpets " + cmd.Use
		if strings.Contains(cmd.Use, "message") {
			hint += " (several words of one sentence stand in quotes)"
		}
		switch {
		case len(args) < least:
			return usage("something is missing", hint)
		case len(args) > most:
			return usage(fmt.Sprintf("%q is one word too many", args[most]), hint)
		}
		return nil
	}
}

// list joins the words of a table for a hint.
func list[T ~string](all []T) string {
	var b strings.Builder
	for i, one := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(one))
	}
	return b.String()
}

// maxInput is how much of standard input becomes a message, in bytes. The
// bridge takes no more, and refuses the byte that follows it.
const maxInput = 8 << 10

// message is the sentence that an argument gives: itself, or standard input for
// "-". One without anything to show is wrong usage.
func (c *common) message(arg string) (string, error) {
	if arg == "-" {
		// /dev/null is a device too; there is nothing in it either.
		if info, err := c.in.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return "", usage(`"-" reads the message from standard input, and nothing is piped in`,
				"For example: git log -1 --format=%s | playpets say -")
		}
		data, err := io.ReadAll(io.LimitReader(c.in, maxInput+1))
		if err != nil {
			return "", fmt.Errorf("read the message: %w", err)
		}
		arg = string(data)
	}
	if agents.Plain(arg) == "" {
		return "", usage("the message is empty", "Write a sentence in quotes.")
	}
	return arg, nil
}

// jsonFlag gives a command that prints something --json.
func (c *common) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print one JSON document")
}

// taken says that the friend with that id took what a command told it.
func (c *common) taken(id string, words func(name string) string) error {
	if c.json {
		return c.printJSON(map[string]any{"ok": true, "petId": id})
	}
	if !c.quiet {
		c.say(words(c.nameOf(id)))
	}
	return nil
}
