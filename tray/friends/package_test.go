package friends

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// webpSheet is a sheet of the first kind with six frames of idle.
func webpSheet(t testing.TB) []byte {
	data, err := os.ReadFile("testdata/plain-v1.webp")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPackages(t *testing.T) {
	webp, small := webpSheet(t), pngSheet(96, 117)
	half := pngSheet(768, 936)
	second := pngSheet(96, 143)
	plainJSON := `{"id":"plain","displayName":"Plain","description":"A test.","spritesheetPath":"spritesheet.webp"}`
	for _, tt := range []struct {
		name     string
		manifest string
		files    map[string][]byte
		want     Package // without its Sheet
		size     [2]int
		err      string // a part of it
	}{
		{name: "plain", manifest: plainJSON, files: map[string][]byte{"spritesheet.webp": webp},
			want: Package{ID: "plain", Name: "Plain", Description: "A test."}, size: [2]int{1536, 1872}},
		{name: "BOM and CRLF", manifest: "\xef\xbb\xbf{\r\n\"id\": \"w\",\r\n\"displayName\": \"Windows\"\r\n}\r\n", files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "w", Name: "Windows"}, size: [2]int{96, 117}},
		{name: "empty manifest", manifest: `{}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "folder", Name: "folder"}, size: [2]int{96, 117}},
		{name: "empty manifest, PNG", manifest: `{}`, files: map[string][]byte{"spritesheet.png": half},
			want: Package{ID: "folder", Name: "folder"}, size: [2]int{768, 936}},
		{name: "no display name", manifest: `{"id":"bare"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "bare", Name: "bare"}, size: [2]int{96, 117}},
		{name: "smooth", manifest: `{"id":"x","scaling":"smooth"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "x", Name: "x", Smooth: true}, size: [2]int{96, 117}},
		{name: "scaling that is not ours", manifest: `{"id":"x","scaling":{"mode":"smooth"}}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "x", Name: "x"}, size: [2]int{96, 117}},
		{name: "rounded height", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": pngSheet(1000, 1219)},
			want: Package{ID: "x", Name: "x"}, size: [2]int{1000, 1219}},
		{name: "second kind", manifest: `{"id":"two","spriteVersionNumber":2}`, files: map[string][]byte{"spritesheet.png": second},
			want: Package{ID: "two", Name: "two"}, size: [2]int{96, 143}},
		{name: "claims to be the second kind", manifest: `{"id":"two","spriteVersionNumber":2}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "two", Name: "two"}, size: [2]int{96, 117}},
		{name: "WebP bytes named PNG", manifest: `{"id":"x","spritesheetPath":"spritesheet.png"}`, files: map[string][]byte{"spritesheet.png": webp},
			want: Package{ID: "x", Name: "x"}, size: [2]int{1536, 1872}},
		{name: "trailing garbage", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.webp": append(slices.Clone(webp), make([]byte, 4096)...)},
			want: Package{ID: "x", Name: "x"}, size: [2]int{1536, 1872}},
		{name: "dot slash", manifest: `{"id":"x","spritesheetPath":"./art/sheet.webp"}`, files: map[string][]byte{"art/sheet.webp": small},
			want: Package{ID: "x", Name: "x"}, size: [2]int{96, 117}},
		{name: "path characters in the id", manifest: `{"id":"Evil/../Cat One","displayName":"Cat One"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "folder", Name: "Cat One"}, size: [2]int{96, 117}},
		{name: "a dot as id", manifest: `{"id":".."}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "folder", Name: "folder"}, size: [2]int{96, 117}},
		{name: "many scripts", manifest: `{"id":"小猫-ねこ","displayName":"小猫 🐈‍⬛ ねこ"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "小猫-ねこ", Name: "小猫 🐈‍⬛ ねこ"}, size: [2]int{96, 117}},
		{name: "names that play tricks", manifest: `{"id":"a\u202eb\u0000","displayName":" \u001b[31mRed\n\u2066x  y "}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "ab", Name: "[31mRed x y"}, size: [2]int{96, 117}},
		{name: "a name of nothing", manifest: `{"id":"x","displayName":"\u202e\u200b \n"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "x", Name: "x"}, size: [2]int{96, 117}},
		{name: "a long name", manifest: `{"id":"x","displayName":"` + strings.Repeat("👨‍👩‍👧‍👦", 40) + `"}`, files: map[string][]byte{"spritesheet.webp": small},
			want: Package{ID: "x", Name: strings.Repeat("👨‍👩‍👧‍👦", 11)}, size: [2]int{96, 117}},

		{name: "no manifest", files: map[string][]byte{"spritesheet.webp": small}, err: "pet.json"},
		{name: "comments", manifest: "{\n// my friend\n\"id\":\"x\"}", files: map[string][]byte{"spritesheet.webp": small}, err: "read pet.json"},
		{name: "a list", manifest: `[]`, files: map[string][]byte{"spritesheet.webp": small}, err: "read pet.json"},
		{name: "a huge manifest", manifest: `{"id":"` + strings.Repeat("x", maxManifest) + `"}`, err: "pet.json: larger"},
		{name: "no sheet", manifest: plainJSON, err: "spritesheet.webp"},
		{name: "sheet elsewhere", manifest: `{"id":"x","spritesheetPath":"../../secret.webp"}`, err: "not in the package's folder"},
		{name: "sheet through a folder", manifest: `{"id":"x","spritesheetPath":"art/../../secret.webp"}`, err: "not in the package's folder"},
		{name: "absolute sheet", manifest: `{"id":"x","spritesheetPath":"/etc/hostname"}`, err: "not in the package's folder"},
		{name: "sheet by address", manifest: `{"id":"x","spritesheetPath":"https://example.invalid/x.webp"}`, err: "not in the package's folder"},
		{name: "sheet on a drive", manifest: `{"id":"x","spritesheetPath":"C:\\x.webp"}`, err: "not in the package's folder"},
		{name: "sheet that is a folder", manifest: `{"id":"x","spritesheetPath":"art"}`, files: map[string][]byte{"art/x": nil}, err: "not a regular file"},
		{name: "sheet that is the folder", manifest: `{"id":"x","spritesheetPath":"."}`, err: "not a regular file"},
		{name: "portrait", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": pngSheet(1024, 1024)}, err: "1024×1024 pixels, not 1536×1872"},
		{name: "a height too far off", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": pngSheet(1000, 1220)}, err: "1000×1220"},
		{name: "cells of a few pixels", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": pngSheet(64, 78)}, err: "64×78"},
		{name: "sixteen rows", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": pngSheet(1536, 3328)}, err: "1536×3328"},
		{name: "a picture bomb", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": hugePNG()}, err: "15360×18720"},
		{name: "web page", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.webp": []byte("<html>404</html>")}, err: "read spritesheet.webp: image: unknown format"},
		{name: "LFS pointer", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.webp": []byte("version https://git-lfs.github.com/spec/v1\n")}, err: "read spritesheet.webp"},
		{name: "sheet that is cut off", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.webp": webp[:len(webp)*6/10]}, err: "read spritesheet.webp"},
		{name: "sheet with nothing behind its head", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.png": small[:60]}, err: "read spritesheet.png"},
		{name: "empty sheet", manifest: `{"id":"x"}`, files: map[string][]byte{"spritesheet.webp": nil}, err: "read spritesheet.webp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			write(t, dir, "", nil)
			if tt.manifest != "" {
				write(t, dir, "pet.json", []byte(tt.manifest))
			}
			for name, data := range tt.files {
				write(t, dir, name, data)
			}
			got, err := openPackage(dir)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %+v, %v; want an error with %q", got, err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.ID != tt.want.ID || got.Name != tt.want.Name || got.Description != tt.want.Description || got.Smooth != tt.want.Smooth || got.Builtin {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			sheet, err := got.Sheet()
			if err != nil {
				t.Fatal(err)
			}
			if size := sheet.Bounds().Size(); size.X != tt.size[0] || size.Y != tt.size[1] {
				t.Errorf("the sheet has %v", size)
			}
		})
	}
}

// write puts a file into dir, or makes dir.
func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if name == "" {
		path = filepath.Join(dir, "x")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if name == "" {
		return
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// hugePNG says that it is 15360×18720 pixels, which is a sheet ten times as
// large, in the few bytes of a small one.
func hugePNG() []byte {
	data := pngSheet(96, 117)
	header := data[12:29] // its name, width, height and kind; then its checksum
	binary.BigEndian.PutUint32(header[4:], 15360)
	binary.BigEndian.PutUint32(header[8:], 18720)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(header))
	return data
}

// TestSheetThatWasSwapped changes the files after they were looked at.
func TestSheetThatWasSwapped(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "pet.json", []byte(`{"id":"x"}`))
	webp := webpSheet(t)
	write(t, dir, "spritesheet.webp", webp)
	p, err := openPackage(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cut off":   webp[:len(webp)*6/10],
		"bomb":      hugePNG(),
		"portrait":  pngSheet(1024, 1024),
		"no image":  []byte("x"),
		"all zeros": append(slices.Clone(webp[:40]), make([]byte, len(webp))...),
	} {
		write(t, dir, "spritesheet.webp", data)
		if sheet, err := p.Sheet(); err == nil || sheet != nil || !strings.Contains(err.Error(), "spritesheet.webp") {
			t.Errorf("%s: %v, %v", name, sheet, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "spritesheet.webp")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Sheet(); err == nil {
		t.Error("a sheet that is gone was read")
	}
}

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "kept in my settings")
	write(t, elsewhere, "pet.json", []byte(`{"id":"linked","spritesheetPath":"spritesheet.webp"}`))
	write(t, elsewhere, "real.webp", pngSheet(96, 117))
	for link, target := range map[string]string{
		filepath.Join(elsewhere, "spritesheet.webp"): "real.webp",
		filepath.Join(dir, "linked"):                 elsewhere,
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openPackage(filepath.Join(dir, "linked"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Sheet(); err != nil {
		t.Error(err)
	}

	outside := filepath.Join(dir, "outside")
	write(t, outside, "pet.json", []byte(`{"id":"outside"}`))
	if err := os.Symlink(filepath.Join(elsewhere, "real.webp"), filepath.Join(outside, "spritesheet.webp")); err != nil {
		t.Fatal(err)
	}
	if p, err := openPackage(outside); err == nil {
		t.Errorf("%+v reads outside its folder", p)
	}
}

func TestInvited(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "friends")
	sheet := pngSheet(96, 117)
	for folder, manifest := range map[string]string{
		"b":        `{"id":"b","displayName":"B"}`,
		"a":        `{"id":"a","displayName":"A"}`,
		"broken":   `{`,
		"again":    `{"id":"A"}`,
		"imposter": `{"id":"MOCHI"}`,
		".half":    `{"id":"half"}`,
	} {
		write(t, filepath.Join(home, folder), "pet.json", []byte(manifest))
		write(t, filepath.Join(home, folder), "spritesheet.webp", sheet)
	}
	write(t, home, "notes.txt", []byte("not a friend"))
	if err := os.Mkdir(filepath.Join(home, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := open(Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))}, twoFriends())
	var ids []string
	for _, p := range s.Packages() {
		ids = append(ids, p.ID)
	}
	if want := []string{"mochi", "bori", "a", "b"}; !slices.Equal(ids, want) {
		t.Errorf("here are %q, want %q", ids, want)
	}
	for _, folder := range []string{"broken", "again", "imposter", "empty"} {
		if n := strings.Count(log.String(), "folder="+folder+" "); n != 1 {
			t.Errorf("%s is %d times in the log", folder, n)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 4 {
		t.Errorf("the log has %d lines:\n%s", n, log.String())
	}
	packages := s.Packages()
	packages[0].ID = "changed"
	if s.Packages()[0].ID != "mochi" {
		t.Error("Packages lends its own list")
	}
}

func TestBuiltins(t *testing.T) {
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range s.Packages() {
		names = append(names, p.ID+" "+p.Name)
		if !p.Builtin || !p.Smooth || p.Description == "" {
			t.Errorf("%+v", p)
		}
		sheet, err := p.Sheet()
		if err != nil {
			t.Errorf("%s: %v", p.ID, err)
			continue
		}
		if size := fmt.Sprint(sheet.Bounds().Size()); size != "(1536,2288)" {
			t.Errorf("%s: the sheet has %s", p.ID, size)
		}
	}
	if want := []string{"mochi Mochi", "bori Bori", "ssak Ssak"}; !slices.Equal(names, want) {
		t.Errorf("here are %q, want %q", names, want)
	}
	folders, err := fs.ReadDir(builtinFiles, "builtin")
	if err != nil || len(folders) != len(builtinIDs) {
		t.Errorf("%d friends are drawn, %d are listed (%v)", len(folders), len(builtinIDs), err)
	}
}

func FuzzPackage(f *testing.F) {
	sheet := pngSheet(96, 117)
	f.Add([]byte(`{"id":"x","displayName":"X","spritesheetPath":"./a/spritesheet.png"}`), sheet)
	f.Add([]byte(`{"spritesheetPath":"../x"}`), []byte("RIFF\x00\x00\x00\x00WEBPVP8L"))
	f.Add([]byte("\xef\xbb\xbf{}"), sheet[:60])
	f.Fuzz(func(t *testing.T, manifest, sheet []byte) {
		if len(sheet) > 64<<10 {
			return
		}
		files := fstest.MapFS{"pet.json": {Data: manifest}, "spritesheet.png": {Data: sheet}, "a/spritesheet.png": {Data: sheet}}
		p, name, err := readPackage(files, "folder")
		if err != nil {
			return
		}
		if p.ID == "" || p.Name == "" || utf8.RuneCountInString(p.Name) > maxName || strings.ContainsAny(p.ID, "/\\:\n\x00") || !fs.ValidPath(name) {
			t.Fatalf("package %+v with the sheet %q", p, name)
		}
		if len(sheet) < 4<<10 { // a small file can still ask for 4096² pixels
			readSheet(files, name)
		}
	})
}
