package line

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// Windows has neither: links take a privilege to make, and no open waits.
const (
	neverFollow = 0
	neverWait   = 0
)

// The system's own calls, under their own names. golang.org/x/sys has them too
// but initialises later than a hook may wait.
var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel32.NewProc("LockFileEx")
	unlockFileEx = kernel32.NewProc("UnlockFileEx")
	localFree    = kernel32.NewProc("LocalFree")

	advapi32           = syscall.NewLazyDLL("advapi32.dll")
	descriptorFromText = advapi32.NewProc("ConvertStringSecurityDescriptorToSecurityDescriptorW")
)

const (
	lockfileFailImmediately = 1
	lockfileExclusiveLock   = 2
	errorLockViolation      = syscall.Errno(33)
	errorIOPending          = syscall.Errno(997)
)

type mode uintptr

const (
	shared    mode = lockfileFailImmediately
	exclusive mode = lockfileFailImmediately | lockfileExclusiveLock
)

// tryLock takes the lock on f's first byte, or reports that it is taken.
func tryLock(f *os.File, m mode) (bool, error) {
	var at syscall.Overlapped
	ok, _, err := lockFileEx.Call(f.Fd(), uintptr(m), 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok != 0 {
		return true, nil
	}
	if err == errorLockViolation || err == errorIOPending {
		return false, nil
	}
	return false, err
}

func unlock(f *os.File) {
	var at syscall.Overlapped
	unlockFileEx.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&at)))
}

// Mode bits say nothing here: the user's folder and the file's own access list,
// which createPrivate sets, keep others out.
func ours(fs.FileInfo) bool      { return true }
func private(fs.FileInfo) bool   { return true }
func everyones(fs.FileInfo) bool { return false }

// createPrivate creates a new file beside path that this user alone may open,
// under a name that nobody can guess. %LOCALAPPDATA% is private already;
// PLAYPETS_DATA and --bridge may name a folder that is not.
func createPrivate(path string) (*os.File, error) {
	name := path + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
	wide, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: name, Err: err}
	}
	descriptor, err := onlyMe()
	if err != nil {
		return nil, &os.PathError{Op: "protect", Path: name, Err: err}
	}
	defer localFree.Call(descriptor)
	security := syscall.SecurityAttributes{SecurityDescriptor: descriptor}
	security.Length = uint32(unsafe.Sizeof(security))
	h, err := syscall.CreateFile(wide, syscall.GENERIC_WRITE, 0, &security, syscall.CREATE_NEW, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}

// onlyMe is a security descriptor, to be freed by LocalFree, that gives this
// user everything, inherits nothing and names nobody else.
func onlyMe() (uintptr, error) {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return 0, err
	}
	defer token.Close()
	user, err := token.GetTokenUser()
	if err != nil {
		return 0, err
	}
	sid, err := user.User.Sid.String()
	if err != nil {
		return 0, err
	}
	text, err := syscall.UTF16PtrFromString("D:P(A;;FA;;;" + sid + ")")
	if err != nil {
		return 0, err
	}
	var descriptor uintptr
	const revision = 1
	ok, _, err := descriptorFromText.Call(uintptr(unsafe.Pointer(text)), revision, uintptr(unsafe.Pointer(&descriptor)), 0)
	if ok == 0 {
		return 0, err
	}
	return descriptor, nil
}

func replace(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) })
}

func remove(path string) error {
	return patiently(func() error { return os.Remove(path) })
}

// patiently repeats what fails while a client or a virus scanner has the file
// open for a moment.
func patiently(do func() error) error {
	err := do()
	for range 20 {
		if err == nil || os.IsNotExist(err) {
			break
		}
		time.Sleep(10 * time.Millisecond)
		err = do()
	}
	return err
}
