//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The benchmarks run whole processes, in turn within each round, so that a
// machine that slows down slows all of them: read the ratios. Run them by
// `make bench`.

const rounds = 60

const event = `{"session_id":"bench","cwd":"/home/user/project","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"}}`

// contender is one way to send an event.
type contender struct {
	name  string
	stdin []byte
	argv  []string
	fails bool // it may exit non-zero
}

// race runs every contender once a round and returns the wall times, sorted.
func race(b *testing.B, n int, all []contender) map[string][]time.Duration {
	b.Helper()
	times := map[string][]time.Duration{}
	for range n {
		for _, c := range all {
			cmd := exec.Command(c.argv[0], c.argv[1:]...)
			cmd.Stdin = bytes.NewReader(c.stdin)
			start := time.Now()
			err := cmd.Run()
			times[c.name] = append(times[c.name], time.Since(start))
			if err != nil && !c.fails {
				b.Fatalf("%s: %v", c.name, err)
			}
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times
}

func median(t []time.Duration) float64 { return float64(t[len(t)/2]) }
func ms(d float64) float64             { return d / float64(time.Millisecond) }

// build builds a package of this module the way releases are built.
func build(b *testing.B, pkg string) string {
	b.Helper()
	out := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, text)
	}
	return out
}

// liveApp is a running playpets in a data folder of its own.
type liveApp struct {
	cmd    *exec.Cmd
	bridge string
}

// start runs the app with a config.toml; display "" leaves it without one.
func start(b *testing.B, program, display, settings string) liveApp {
	b.Helper()
	data := b.TempDir()
	if err := os.WriteFile(filepath.Join(data, "config.toml"), []byte(settings), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "PLAYPETS_DATA="+data, "DISPLAY="+display, "PLAYPETS_LANG=en")
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	app := liveApp{cmd, filepath.Join(data, "bridge.json")}
	for range 500 {
		if _, err := os.Stat(app.bridge); err == nil {
			return app
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatal("the app did not open its bridge")
	return app
}

// door reads bridge.json.
func (a liveApp) door(b *testing.B) (port int, token string) {
	b.Helper()
	var d struct {
		Port  int    `json:"port"`
		Token string `json:"token"`
	}
	data, err := os.ReadFile(a.bridge)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		b.Fatal(err)
	}
	return d.Port, d.Token
}

// BenchmarkHook compares `playpets hook claude`, the whole process, with a
// minimal Go program, curl and node that do the same, and with itself when
// the app is off, hung, or the payload is large.
func BenchmarkHook(b *testing.B) {
	program, minimal := build(b, "."), build(b, "./testdata/minimal")
	up, off, hung := start(b, program, "", ""), start(b, program, "", ""), start(b, program, "", "")
	off.cmd.Process.Kill() // leaves a stale bridge.json behind
	off.cmd.Wait()
	hung.cmd.Process.Signal(syscall.SIGSTOP)
	port, token := up.door(b)
	url := fmt.Sprintf("http://127.0.0.1:%d/events", port)
	const report = `{"state":"working","message":"@tool Bash","session":"bench"}`
	if _, err := exec.LookPath("node"); err != nil {
		b.Fatal("node is needed as a yardstick")
	}
	// Not fetch: node's marks itself with Sec-Fetch-Mode, as a browser does, and is refused for it.
	script := fmt.Sprintf(`const r=require("http").request(%q,{method:"POST",headers:{authorization:"Bearer %s","content-type":"application/json"}},a=>{a.resume();if(a.statusCode!==200)process.exit(1)});r.end(%q)`, url, token, report)
	large := []byte(strings.Replace(event, `"true"`, `"`+strings.Repeat("line of text é😀\\n", 150_000)+`"`, 1))
	hook := func(a liveApp) []string { return []string{program, "hook", "claude", "--bridge", a.bridge} }
	all := []contender{
		{name: "up", stdin: []byte(event), argv: hook(up)},
		{name: "minimal", stdin: []byte(event), argv: []string{minimal, up.bridge}},
		{name: "curl", argv: []string{"curl", "-sf", "-o", os.DevNull, "-H", "Authorization: Bearer " + token, "-H", "Content-Type: application/json", "-d", report, url}},
		{name: "node", argv: []string{"node", "-e", script}},
		{name: "off", stdin: []byte(event), argv: hook(off)},
		{name: "hung", stdin: []byte(event), argv: hook(hung)},
		{name: "large", stdin: large, argv: hook(up)},
	}
	for b.Loop() {
		t := race(b, rounds, all)
		upMedian := median(t["up"])
		for _, name := range []string{"minimal", "curl", "node", "off", "large"} {
			if name == "off" || name == "large" {
				b.ReportMetric(median(t[name])/upMedian, name+"/up")
			} else {
				b.ReportMetric(upMedian/median(t[name]), "up/"+name)
			}
		}
		b.ReportMetric(ms(median(t["hung"])-upMedian), "hung-up_ms")
		b.ReportMetric(ms(upMedian), "up_ms")
		b.ReportMetric(float64(t["up"][len(t["up"])*9/10])/upMedian, "up_p90/p50")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkThousandHooks starts 1,000 hook processes as fast as the machine
// can and reports how many were lost or slow, and by how much the app's memory
// grew over that of a burst before.
func BenchmarkThousandHooks(b *testing.B) {
	program := build(b, ".")
	for b.Loop() {
		app := start(b, program, "", "")
		burst(program, app, 200)
		before := resident(b, app.cmd.Process.Pid)
		failed, slow := burst(program, app, 1000)
		b.ReportMetric(float64(failed), "failed")
		b.ReportMetric(float64(slow), "over_3s")
		b.ReportMetric(float64(200-sessions(b, program, app)), "sessions_lost")
		b.ReportMetric(resident(b, app.cmd.Process.Pid)-before, "app_MB_growth")
	}
	b.ReportMetric(0, "ns/op")
}

// burst runs n hooks of 200 sessions, 64 processes at a time.
func burst(program string, app liveApp, n int) (failed, slow int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	gate := make(chan struct{}, 64)
	for i := range n {
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			cmd := exec.Command(program, "hook", "claude", "--bridge", app.bridge)
			cmd.Stdin = strings.NewReader(strings.Replace(event, "bench", fmt.Sprintf("s%d", i%200), 1))
			begin := time.Now()
			err := cmd.Run()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
			}
			if time.Since(begin) > 3*time.Second {
				slow++
			}
		})
	}
	wg.Wait()
	return failed, slow
}

// sessions counts the live sessions that the app knows.
func sessions(b *testing.B, program string, app liveApp) (n int) {
	b.Helper()
	out, err := exec.Command(program, "status", "--json", "--bridge", app.bridge).Output()
	if err != nil {
		b.Fatal(err)
	}
	var s struct {
		Friends []struct {
			Sessions []json.RawMessage `json:"sessions"`
		} `json:"friends"`
	}
	if err := json.Unmarshal(out, &s); err != nil {
		b.Fatal(err)
	}
	for _, f := range s.Friends {
		n += len(f.Sessions)
	}
	return n
}

// BenchmarkApp runs the app with its three friends on a display with a
// compositor, for a minute each: idle, at work, and with friends who are never
// shown. It reports processor time, that of the X server and the compositor
// beside it, wake-ups of the app and its memory.
func BenchmarkApp(b *testing.B) {
	server, display := xServer(b)
	compositor := exec.Command("picom", "--backend", "xrender", "--config", os.DevNull)
	compositor.Env = append(os.Environ(), "DISPLAY="+display)
	if err := compositor.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { compositor.Process.Kill(); compositor.Wait() })
	program := build(b, ".")
	for b.Loop() {
		app := start(b, program, display, "")
		time.Sleep(5 * time.Second) // the start is not what is measured here
		watchMinute(b, "idle", app, server, compositor)
		work := func(app liveApp) {
			for _, pet := range []string{"mochi", "bori", "ssak"} {
				run(b, program, "status", "working", "@thinking", "--pet", pet, "--bridge", app.bridge)
			}
			time.Sleep(15 * time.Second) // for the bubbles to leave
		}
		work(app)
		watchMinute(b, "working", app, server, compositor)
		app.cmd.Process.Kill()
		app.cmd.Wait()

		hidden := start(b, program, display, "[show]\nwhen = \"never\"\n")
		work(hidden)
		watchMinute(b, "hidden", hidden, server, compositor)
	}
	b.ReportMetric(0, "ns/op")
}

// watchMinute reports what a minute of an app costs.
func watchMinute(b *testing.B, what string, app liveApp, server, compositor *exec.Cmd) {
	b.Helper()
	processes := map[string]int{"app": app.cmd.Process.Pid, "xserver": server.Process.Pid, "compositor": compositor.Process.Pid}
	before := map[string]float64{}
	for name, pid := range processes {
		before[name] = cpu(b, pid)
	}
	wakes := wakeUps(b, app.cmd.Process.Pid)
	time.Sleep(time.Minute)
	b.ReportMetric(float64(wakeUps(b, app.cmd.Process.Pid)-wakes)/60, what+"_wakeups/s")
	for name, pid := range processes {
		b.ReportMetric((cpu(b, pid)-before[name])/60*100, what+"_"+name+"_cpu_%")
	}
	b.ReportMetric(resident(b, app.cmd.Process.Pid), what+"_rss_MB")
}

// wakeUps is how often the threads of a process have waited and gone on.
func wakeUps(b *testing.B, pid int) (n int) {
	b.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(files) == 0 {
		b.Fatalf("count the wake-ups of %d: %v", pid, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		_, after, _ := strings.Cut(string(data), "\nvoluntary_ctxt_switches:")
		count, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
		one, err := strconv.Atoi(count)
		if err != nil {
			b.Fatalf("count the wake-ups of %d: %v", pid, err)
		}
		n += one
	}
	return n
}

func run(b *testing.B, argv ...string) {
	b.Helper()
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", argv[1:], err, out)
	}
}

// cpu is the processor time of a process so far, in seconds.
func cpu(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+2:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // USER_HZ is 100 on every Linux port of Go
}

// resident is the memory of a process, in MB.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, _ := strconv.ParseFloat(strings.Fields(string(data))[1], 64)
	return pages * float64(os.Getpagesize()) / 1e6
}
