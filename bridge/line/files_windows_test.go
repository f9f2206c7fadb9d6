package line

import (
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// bridge.json names this user and nobody else, wherever it lies.
func TestPublishedForOneUser(t *testing.T) {
	path := folder(t)
	if err := Publish(path, Endpoint{Port: 4321, Token: token}); err != nil {
		t.Fatal(err)
	}
	security, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	// The system itself (SY) may read everything anyway; Wine says so.
	got := security.String()
	mine := strings.NewReplacer("(A;;FA;;;SY)", "", "(A;;FA;;;"+user.User.Sid.String()+")", "").Replace(got)
	if mine != "D:" && mine != "D:P" {
		t.Errorf("access list: %s", got)
	}
}
