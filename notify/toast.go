package notify

import "strings"

// toastSpecial takes what has a meaning for XML or PowerShell out of the CDATA
// sections into which the library for Windows puts a text as it is. Where Windows
// does not take the XML from it, it has PowerShell run it between double quotes:
// $(…) of an agent would be a command there.
var toastSpecial = strings.NewReplacer(
	"]]>", "]]]]><![CDATA[>",
	"$", "]]>&#36;<![CDATA[",
	"`", "]]>&#96;<![CDATA[",
	`"`, "]]>&#34;<![CDATA[",
	"\u201C", "]]>&#8220;<![CDATA[", // PowerShell takes these for "
	"\u201D", "]]>&#8221;<![CDATA[",
	"\u201E", "]]>&#8222;<![CDATA[",
)

// toastText is a text as Windows shows it in full and nothing executes it.
func toastText(s string) string {
	s = strings.Map(func(r rune) rune {
		// What XML 1.0 has no place for.
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return toastSpecial.Replace(s)
}

// fitsToast says whether that library can name a picture in this folder: it puts
// the name into the XML as it is.
func fitsToast(folder string) bool {
	return !strings.ContainsAny(folder, "&<\"$`\u201C\u201D\u201E")
}
