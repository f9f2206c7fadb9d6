package notify

import (
	"encoding/xml"
	"strings"
	"testing"
)

// Whatever an agent says, Windows shows it as it is: the XML around it stays
// whole, and PowerShell finds nothing in it to run.
func TestToastText(t *testing.T) {
	for _, s := range []string{
		"", "All done!", "$(calc)", "${env:PATH} $x `n \"quoted\"", "]]>", "]]", "]]]>", "]]>]]>", "]]$", "a]]>&b<c>",
		"\n\"@\nStart-Process calc\n", "“@ ”@ „@", "쉬는 중 🐾", "한\n글\t$",
	} {
		text := toastText(s)
		var got struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte("<text><![CDATA["+text+"]]></text>"), &got); err != nil || got.Text != s {
			t.Errorf("%q comes out as %q: %v", s, got.Text, err)
		}
		if strings.ContainsAny(text, "$`\"“”„") {
			t.Errorf("%q: PowerShell reads %q", s, text)
		}
	}
	if got := toastText("a\x00\x1b\r\uFFFEb\xff"); got != "ab\uFFFD" {
		t.Errorf("what XML cannot have comes out as %q", got)
	}
}

func TestFitsToast(t *testing.T) {
	for folder, want := range map[string]bool{
		`C:\Users\Kim\AppData\Local`: true, `C:\Users\김 씨\AppData\Local`: true, `C:\Users\O'Neil\AppData\Local`: true,
		`C:\Users\R&D\AppData\Local`: false, `C:\Users\$(calc)\AppData\Local`: false, "C:\\Users\\`\\AppData\\Local": false,
	} {
		if fitsToast(folder) != want {
			t.Errorf("%s: %v", folder, !want)
		}
	}
}
