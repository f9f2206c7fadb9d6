package installer

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getCurrentPackageFamilyName = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetCurrentPackageFamilyName")

// packageFamily is the family name of the Windows package that this program
// runs in; empty for none. Windows before 8 does not know packages.
func packageFamily() (string, error) {
	if getCurrentPackageFamilyName.Find() != nil {
		return "", nil
	}
	const noPackage = syscall.Errno(15700)
	text := make([]uint16, 65) // PACKAGE_FAMILY_NAME_MAX_LENGTH and the zero
	size := uint32(len(text))
	code, _, _ := getCurrentPackageFamilyName.Call(uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&text[0])))
	switch err := syscall.Errno(code); err {
	case 0:
		return windows.UTF16ToString(text), nil
	case noPackage:
		return "", nil
	default:
		return "", err
	}
}
