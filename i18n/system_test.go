package i18n

import (
	"runtime"
	"testing"
)

func TestSystem(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string // the language that New makes of it
		own  bool   // Windows asks the system, whatever the environment says
	}{
		{name: "nothing set", want: "en"},
		{name: "LANG", env: map[string]string{"LANG": "ko_KR.UTF-8"}, want: "ko"},
		{name: "LC_MESSAGES before LANG", env: map[string]string{"LC_MESSAGES": "en_US.UTF-8", "LANG": "ko_KR.UTF-8"}, want: "en"},
		{name: "LC_ALL before both", env: map[string]string{"LC_ALL": "ko_KR", "LC_MESSAGES": "en_US", "LANG": "en_US"}, want: "ko"},
		{name: "LANGUAGE before the locale", env: map[string]string{"LANGUAGE": "ja:ko", "LANG": "en_US.UTF-8"}, want: "ko"},
		{name: "LANGUAGE that names English first", env: map[string]string{"LANGUAGE": "en:ko", "LANG": "ko_KR.UTF-8"}, want: "en"},
		{name: "LANGUAGE does not count in the C locale", env: map[string]string{"LANGUAGE": "ko", "LC_ALL": "C"}, want: "en"},
		{name: "C.UTF-8 is the C locale", env: map[string]string{"LANGUAGE": "ko", "LANG": "C.UTF-8"}, want: "en"},
		{name: "POSIX", env: map[string]string{"LANGUAGE": "ko", "LANG": "POSIX"}, want: "en"},
		{name: "LANGUAGE does not count without a locale", env: map[string]string{"LANGUAGE": "ko"}, want: "en"},
		{name: "our own before everything", env: map[string]string{"PLAYPETS_LANG": "ko", "LC_ALL": "en_US.UTF-8", "LANGUAGE": "ja"}, want: "ko", own: true},
		{name: "our own beats C", env: map[string]string{"PLAYPETS_LANG": "ko-KR", "LC_ALL": "C"}, want: "ko", own: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && !tt.own {
				t.Skip("on Windows the system is asked, not the environment")
			}
			got := New(System(func(name string) string { return tt.env[name] })).Lang()
			if got != tt.want {
				t.Errorf("speaks %q, want %q", got, tt.want)
			}
		})
	}
}
