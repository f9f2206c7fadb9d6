package leases

import (
	"context"
	"math"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playpets/playpets/agents"
)

// child starts a process that waits for the end of its input.
func child(t *testing.T) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestWaits$")
	c.Env = append(os.Environ(), "LEASES_CHILD=1")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// TestWaits is the child.
func TestWaits(t *testing.T) {
	if os.Getenv("LEASES_CHILD") == "" {
		t.Skip("this is what the child of other tests runs")
	}
	os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

func TestAlive(t *testing.T) {
	c := child(t)
	if !alive(c.Process.Pid) || !alive(os.Getpid()) {
		t.Error("who lives is gone")
	}
	if runtime.GOOS != "windows" && !alive(1) {
		t.Error("a process that is another user's is gone")
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		for alive(c.Process.Pid) { // nobody has asked for its exit code yet
			runtime.Gosched()
		}
		if c.Process.Signal(syscall.Signal(0)) != nil {
			t.Error("it was no zombie: this tests nothing")
		}
	}
	c.Wait()
	if alive(c.Process.Pid) {
		t.Error("who was killed lives")
	}
	if alive(math.MaxInt32) {
		t.Error("who never was lives")
	}
}

// The process of a holder is killed: its lease ends with the next sweep.
func TestKilledHolder(t *testing.T) {
	killed, lives := child(t), child(t)
	synctest.Test(t, func(t *testing.T) {
		h := newHouse()
		h.o.Alive = alive
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Run(ctx) })
		defer running.Wait()
		defer cancel()
		h.Take(bori(killed.Process.Pid, "n"))
		other := h.Take(agents.LeaseRequest{Pet: "lives", PID: lives.Process.Pid, Nonce: "n"})
		time.Sleep(agents.LeaseSweep)
		h.wantHeard(t, "+bori +lives")
		killed.Process.Kill()
		killed.Wait()
		time.Sleep(agents.LeaseSweep)
		synctest.Wait()
		h.wantHeard(t, "-bori")
		if _, ok := h.Get(other.ID); !ok {
			t.Error("the other one is gone")
		}
	})
}
