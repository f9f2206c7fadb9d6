package installer

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
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

// launchedBy is the program that a LaunchAgent starts at login and its arguments, and
// whether it does. There are no words if the file names none.
func launchedBy(agent []byte) (words []string, on bool) {
	words, _, on = readAgent(agent)
	return words, on
}

// relaunched is a LaunchAgent with another program in it; the rest is as it was.
func relaunched(agent []byte, program string) []byte {
	_, spans, _ := readAgent(agent)
	var path bytes.Buffer
	xml.EscapeText(&path, []byte(program)) // a buffer takes everything
	for _, span := range slices.Backward(spans) {
		agent = slices.Concat(agent[:span[0]], path.Bytes(), agent[span[1]:])
	}
	return agent
}

// readAgent reads a LaunchAgent. spans are where the program's path stands in it.
func readAgent(agent []byte) (words []string, spans [][2]int64, on bool) {
	d := xml.NewDecoder(bytes.NewReader(agent))
	var key, text, program string
	var arguments []string
	var begin, end int64
	on = true
	for {
		end = d.InputOffset()
		token, err := d.Token()
		if err != nil {
			if program != "" {
				arguments = append([]string{program}, arguments[min(1, len(arguments)):]...)
			}
			return arguments, spans, on && errors.Is(err, io.EOF)
		}
		switch t := token.(type) {
		case xml.StartElement:
			text, begin = "", d.InputOffset()
			if name := t.Name.Local; name == "true" || name == "false" {
				on = on && !(key == "Disabled" && name == "true") && !(key == "RunAtLoad" && name == "false")
			}
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			switch {
			case t.Name.Local == "key":
				key = text
			case t.Name.Local == "string" && key == "Program":
				program, spans = text, append(spans, [2]int64{begin, end})
			case t.Name.Local == "string" && key == "ProgramArguments":
				if arguments = append(arguments, text); len(arguments) == 1 {
					spans = append(spans, [2]int64{begin, end})
				}
			}
		}
	}
}
