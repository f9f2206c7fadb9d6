package i18n

import (
	"strings"

	"golang.org/x/sys/windows"
)

// system asks for the languages of the person's display, best first. The
// variables of Unix are not read: Git Bash and the like set them to their own
// taste, and apps started from the desktop have none.
func system(func(string) string) string {
	languages, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil {
		return ""
	}
	return strings.Join(languages, ":")
}
