package cli

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/playpets/playpets/agents"
)

// lastWord is how long a run that has ended still waits for the app to take its
// last report. Nothing else of a run ever waits for the app. Tests on a busy
// machine give it longer.
var lastWord = 500 * time.Millisecond

type runOptions struct {
	*common
	command []string
}

func newRun(c *common) *cobra.Command {
	o := &runOptions{common: c}
	cmd := &cobra.Command{
		Use:   "run [options] [--] <command> [argument…]",
		Short: "Run a command and let a friend watch it",
		Long: `Run a command and let a friend watch it: working while it runs, then done, or error
with its exit code. Input, output, signals, the terminal and the exit code are the
command's own, and it runs the same when the app is off. There is no shell in between:
for pipes and && use sh -c.

Your friend is told the name of the command, and its first argument if that is a plain
word such as test or build. All other arguments stay here.`,
		Example: `  playpets run -- npm test
  playpets run --pet mochi -- sh -c "make && make install"`,
		DisableFlagsInUseLine: true,
		Args:                  words(1, math.MaxInt),
		RunE: func(_ *cobra.Command, args []string) error {
			o.command = args
			return o.run()
		},
	}
	// What follows the command's name is the command's, flags too.
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func (o *runOptions) run() error {
	// Signals are caught before there is a child that they could leave alone.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, heeded(passed...)...)

	child := exec.Command(o.command[0], o.command[1:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	report := o.reporter()
	if err := child.Start(); err != nil {
		f := notStarted(o.command[0], err)
		within(lastWord, report(agents.Error, "@failed "+strconv.Itoa(f.exit.code)))
		return f
	}
	report(agents.Working, "@running "+title(o.command))

	ended := make(chan struct{})
	go func() {
		defer close(ended)
		child.Wait()
	}()
	interrupted := false
	for running := true; running; {
		select {
		case s := <-signals:
			interrupted = pass(s, child.Process) || interrupted
		case <-ended:
			running = false
		}
	}
	code := codeOf(child.ProcessState)
	within(lastWord, report(outcome(code, interrupted)))
	return exitCode(code)
}

// reporter tells the app about one run, in order and in the background. Each
// call returns at once; its channel is closed when the app has heard it or
// could not. Whether it could is of no concern to a run.
func (o *runOptions) reporter() func(agents.State, string) <-chan struct{} {
	r := agents.Report{Pet: o.friend(), Agent: "run", Session: rand.Text(), Project: project()}
	client, unknown := o.client()
	before := make(chan struct{})
	close(before)
	return func(state agents.State, message string) <-chan struct{} {
		r, previous, heard := r, before, make(chan struct{})
		r.State, r.Message, before = state, message, heard
		go func() {
			defer close(heard)
			<-previous
			if unknown == nil {
				client.Report(r)
			}
		}()
		return heard
	}
}

func within(limit time.Duration, heard <-chan struct{}) {
	select {
	case <-heard:
	case <-time.After(limit):
	}
}

// outcome is what a friend shows of a run that ended. One that the person ended
// (Ctrl-C, or by closing the terminal) is neither a success nor an error.
func outcome(code int, interrupted bool) (agents.State, string) {
	switch {
	case code == 0:
		return agents.Done, "@done"
	case interrupted, code == 128+int(syscall.SIGINT), code == 128+int(syscall.SIGHUP):
		return agents.Idle, ""
	}
	return agents.Error, "@failed " + strconv.Itoa(code)
}

// subcommand is a word that names what a program does. Digits, capitals and
// length are what passwords and keys have and subcommands do not.
var subcommand = regexp.MustCompile(`^[a-z][a-z-]{0,15}$`)

// title is what a bubble shows of a command: its name, with its subcommand if
// it looks like one ("npm test"). Arguments may hold secrets and never leave.
func title(command []string) string {
	name := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	if len(command) > 1 && subcommand.MatchString(command[1]) {
		name += " " + command[1]
	}
	return name
}

// project is the last name of the working folder, or empty at the root of a
// disk, in the person's home, which is no project and bears their name, and where
// the bridge would refuse it.
func project() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	name := filepath.Base(dir)
	if home, err := os.UserHomeDir(); err == nil && filepath.Clean(home) == dir {
		return ""
	}
	if len(name) > agents.MaxField || strings.ContainsRune(name, filepath.Separator) {
		return ""
	}
	return name
}

// notStarted says why a command did not start, as shells do by exit code.
func notStarted(name string, err error) *failure {
	if name == "" || errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrDot) {
		return &failure{exitNotFound, "run " + strconv.Quote(name) + ": command not found",
			"It must be a program: for shell aliases and built-ins use sh -c."}
	}
	reason := err
	var path *fs.PathError
	var look *exec.Error
	if errors.As(err, &path) {
		reason = path.Err
	} else if errors.As(err, &look) {
		reason = look.Err
	}
	return &failure{exitNotRunnable, "run " + strconv.Quote(name) + ": " + reason.Error(),
		"It must be a program, or a script that is executable and begins with #!."}
}
