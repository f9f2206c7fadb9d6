package installer

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// launchLabel is the name of the job for launchd, and of its file.
const launchLabel = "dev.playpets.PlayPets"

// launchAgent is a property list that has launchd start a program when its user
// logs in at the screen.
func launchAgent(program string) ([]byte, error) {
	if !utf8.ValidString(program) || strings.ContainsFunc(program, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' }) {
		return nil, errors.New("the program's path has characters that XML cannot have")
	}
	var path strings.Builder
	if err := xml.EscapeText(&path, []byte(program)); err != nil {
		return nil, err
	}
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + launchLabel + `</string>
	<key>ProgramArguments</key>
	<array>
		<string>` + path.String() + `</string>
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>LimitLoadToSessionType</key>
	<string>Aqua</string>
</dict>
</plist>
`), nil
}

// launchedBy is the program that a LaunchAgent starts at login, and whether it
// does. program is empty if the file names none.
func launchedBy(agent []byte) (program string, on bool) {
	d := xml.NewDecoder(strings.NewReader(string(agent)))
	var key, text string
	on = true
	for {
		token, err := d.Token()
		if err != nil {
			return program, on && errors.Is(err, io.EOF)
		}
		switch t := token.(type) {
		case xml.StartElement:
			text = ""
			if name := t.Name.Local; name == "true" || name == "false" {
				on = on && !(key == "Disabled" && name == "true") && !(key == "RunAtLoad" && name == "false")
			}
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			switch {
			case t.Name.Local == "key":
				key = text
			case t.Name.Local == "string" && (key == "Program" || key == "ProgramArguments") && program == "":
				program = text
			}
		}
	}
}
