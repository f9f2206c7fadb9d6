package tray

import (
	"testing"
	"testing/synctest"
	"time"
)

// Who has a friend say something hears why nobody sees that.
func TestUnseen(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		a, _, _ := fakeApp(t, dir)
		want := func(mochi, bori string) {
			t.Helper()
			all := backend{a}.Status()
			if all[0].ID != "mochi" || all[0].Unseen != mochi || all[1].ID != "bori" || all[1].Unseen != bori {
				t.Errorf("of Mochi %q, of Bori %q; want %q and %q", all[0].Unseen, all[1].Unseen, mochi, bori)
			}
		}
		want("", "")
		a.hide("bori")
		want("", "it is hidden")
		a.hush(quietEnd("1h", time.Now()))
		quiet := "it is quiet until " + time.Now().Add(time.Hour).Local().Format("15:04")
		want(quiet, "it is hidden")
		time.Sleep(time.Hour)
		synctest.Wait()
		want("", "it is hidden")
		a.hush(quietEnd("on", time.Now()))
		want("it is quiet until you end that", "it is hidden")
		a.hush(time.Time{})
		a.started.Show.When = "never"
		want("config.toml has friends never shown", "config.toml has friends never shown")
		a.display = &display{} // that was not opened
		want("there is no display", "there is no display")
		a.display = nil
		a.started.Show.When = "active"
		want("", "it is hidden")
		a.Close()
	})
}
