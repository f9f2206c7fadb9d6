//go:build linux

package overlay

import (
	"bytes"
	"fmt"
	"image"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playpets/playpets/agents"
)

// BenchmarkFrames runs three working friends for a minute under a compositor,
// with their frames kept in the X server as they are, and with every frame
// uploaded instead: what the first way saves, in one run.
func BenchmarkFrames(b *testing.B) {
	x := startX(b)
	x.compositor()
	for b.Loop() {
		for _, way := range []string{"kept", "uploaded"} {
			d, err := openDriver(slog.New(slog.DiscardHandler))
			if err != nil {
				b.Fatal(err)
			}
			if way == "uploaded" {
				d = uploading{d}
			}
			o := start(d, Options{CacheDir: b.TempDir(), Log: slog.New(slog.DiscardHandler)})
			var all []Sprite
			for i := range 3 {
				all = append(all, testSprite(fmt.Sprint(i), figureSize(1)))
			}
			o.SetFriends(all)
			x.until("all friends are there", func() bool { return len(x.ours()) == len(all) })
			for _, s := range all {
				o.Show(Update{Friend: s.ID, State: agents.Working})
			}
			time.Sleep(3 * time.Second)
			own, server := ownCPU(), cpuOf(b, x.server.Process.Pid)
			time.Sleep(time.Minute)
			b.ReportMetric((ownCPU()-own)/60*100, way+"_app_cpu_%")
			b.ReportMetric((cpuOf(b, x.server.Process.Pid)-server)/60*100, way+"_xserver_cpu_%")
			o.Close()
		}
	}
	b.ReportMetric(0, "ns/op")
}

// uploading is a driver whose figures send every frame anew.
type uploading struct{ driver }

func (d uploading) newFigure(name string) figure {
	return &uploader{balloon: d.newBalloon(name)}
}

type uploader struct {
	balloon
	rows [rowCount][]*image.RGBA
}

func (u *uploader) load(r row, frames []*image.RGBA) { u.rows[r] = frames }

func (u *uploader) paint(r row, col int, at image.Point) { u.put(u.rows[r][col], at) }

// BenchmarkGrowth says 10,000 sentences and changes the size a thousand times,
// on a real display and in a time of its own, and reports what has grown.
func BenchmarkGrowth(b *testing.B) {
	x := startX(b)
	x.compositor()
	d, err := openDriver(slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer d.close()
	go func() {
		for range d.events() {
		}
	}()
	look := Look{Size: 0.5}
	painter := newBubbles(look, 1, b.TempDir(), slog.New(slog.DiscardHandler))
	now := epoch
	s := stage{screen: d, look: look, places: places{}, tell: func(Event) {},
		draw: func(work func(*bubbles) func(time.Time)) { work(painter)(now) }}
	sprite := testSprite("a", testCell)
	s.set([]Sprite{sprite}, now)
	load := func() {
		if err := cutSheet(sprite, s.size(), func(r row, c strip) bool { s.load("a", r, c, now); return true }); err != nil {
			b.Fatal(err)
		}
	}
	load()
	speak := func(n int) {
		for i := range n {
			s.apply(Update{Friend: "a", Bubble: &Bubble{Session: fmt.Sprint(i % 5), Text: babble(i)}}, now)
			for range 3 {
				s.play(now)
				now = now.Add(pace / 2)
			}
		}
	}
	resize := func(n int) {
		for i := range n {
			l := s.look
			l.Size = 0.5 + float64(i%26)*0.1
			s.restyle(l, now)
			load()
			s.play(now)
		}
	}
	for b.Loop() {
		speak(500)
		resize(30)
		painter.release()
		before, routines := ownMemory(b), runtime.NumGoroutine()
		speak(10_000)
		resize(1_000)
		painter.release()
		b.ReportMetric(ownMemory(b)-before, "MB_growth")
		b.ReportMetric(float64(runtime.NumGoroutine()-routines), "goroutine_growth")
	}
	b.ReportMetric(0, "ns/op")
}

// babble is text of many scripts and lengths; the same for the same i.
func babble(i int) string {
	words := []string{"Running", "the", "tests", "테스트를", "실행하는", "中です", "正在运行", "العربية", "עברית", "हिन्दी", "ทดสอบ", "👩‍💻", "🇰🇷", "e\u0301\u0323", "npm"}
	var text strings.Builder
	for n := 1 + i*7%30; n > 0; n-- {
		text.WriteString(words[(i*i+n*5)%len(words)])
		text.WriteByte(' ')
	}
	return text.String()
}

func ownCPU() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// cpuOf is the processor time of a process so far, in seconds.
func cpuOf(b *testing.B, pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+2:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // USER_HZ is 100 on every Linux port of Go
}

// ownMemory is what this process holds, in MB.
func ownMemory(b *testing.B) float64 {
	runtime.GC()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	pages, _ := strconv.ParseFloat(strings.Fields(string(data))[1], 64)
	return pages * float64(os.Getpagesize()) / 1e6
}
