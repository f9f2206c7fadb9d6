# make test brings what it needs on Debian and Ubuntu (as root); `go test ./...`
# alone skips, aloud, what this machine cannot run.

export CGO_ENABLED ?= 1

.PHONY: build test test-clients check fuzz bench generate pictures demo

build:
	CGO_ENABLED=0 go build -trimpath -o playpets .

test: check
	tools/test-deps
	tools/test-clients
	CI=true go test -race -count=1 -timeout 30m ./...
	tools/test-unprivileged
	tools/fuzz 5s

# Other people's programs drive ours; npm brings them.
test-clients:
	tools/test-clients
	go test -count=1 -v -run '^TestClient' .

check:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo "run gofmt -w on these"; exit 1; }
	for os in linux windows darwin; do GOOS=$$os CGO_ENABLED=0 go vet ./... || exit 1; done
	CGO_ENABLED=0 go tool -modfile=tools/go.mod staticcheck ./...

fuzz:
	tools/fuzz 60s

bench:
	tools/test-deps
	CGO_ENABLED=0 go test -run '^$$' -bench . -benchtime 1x -timeout 30m .
	go test -run '^$$' -bench . -skip ShowToPixel -timeout 60m ./bridge/... ./tray/...
	go test -run '^$$' -bench ShowToPixel -benchtime 300x ./tray/overlay

# The friends' sheets, drawn anew from the numbers in tray/friends/art.
generate:
	go run ./tray/friends/art

# The pictures of README.md and docs/.
pictures: build generate
	go run ./tray/friends/art -sheet docs/friends.png
	tools/moods-picture docs/moods.png
	tools/bubbles-picture docs/bubbles.png
	tools/desktop-picture docs/desktop.png
	tools/tray-picture docs/tray-en.png docs/tray-ko.png
	cd docs && DISPLAY= WAYLAND_DISPLAY= PLAYPETS_LANG=en ../playpets demo && mv playpets-demo.gif demo.gif

demo:
	go run . demo
