package speech

// code is what reads as a piece of a program. Words that are English too (let,
// class, import, export …) count only with what follows them in a program, as
// most lines that have them are about the work: "let me check". Where case tells
// a statement from a sentence, it is the statement's.
var code = either(
	"```",
	`=>`,
	`(?i)<(?:script|!--|!doctype|\?php|\?xml)`,
	`</[A-Za-z]`,
	`<[A-Za-z][\w-]*\s*(?:/>|\s[\w-]+=)`,

	// declarations
	`\b(?:const|let|var)\s+(?:mut\s+)?[\w$]+\s*(?::\s*[\w<>\[\]|.]+\s*)?=`,
	`\b(?:const|let|var)\s*[{\[][^}\]]*[}\]]\s*=`,
	`\w\s*:=`,
	`\b(?:function\*?|func|fn|def)\s+(?:\([^()]*\)\s*)?[\w$]+\(`,
	`\b(?:class|interface|struct|enum|trait|impl|namespace|function)\b[^{}]*\{(?:[\s}]|$)`,
	`^class\s+\w+(?:\([\w., ]*\))?:`,

	// modules
	`\bimport\s+[\w$*{},\s]+\sfrom\s*['"]`,
	`^import\s+[\w$]+\s+from(?:\s+\S+)?$`,
	`^import\s*\(?\s*['"]`,
	`\bimport\s+(?:static\s+)?[\w.*]+;`,
	`^from\s+[\w.]+\s+import\s`,
	`^export\s+default\b`,
	`\bexport\s+default\s+(?:async|function|class|[{\[])`,
	`\bexport\s*(?:\{|\*\s+from\b)`,
	`\bexport\s+\w+=`,
	`\bmodule\.exports\s*=`,
	`\busing\s+namespace\s`,
	`#include\s*[<"]`,

	// statements and values
	`\)\s*\{`, // if (…) {
	`[=+<>*{}\[\]].*;$`,
	`\w\([^()]*\)\s*;$`, // call(); Greek asks with this sign, so that alone says nothing
	`\{\s*return\b`,
	`\w!?\(\s*["']`,             // print("…
	`\{\s*["']?[\w-]+["']?\s*:`, // {"key": …, p { color: …
	`(?i)\bselect\s+\*\s+from\s`,
	`\bSELECT\s.*\bFROM\s`,
	`\b(?:INSERT\s+INTO|DELETE\s+FROM|(?:DROP|CREATE|ALTER)\s+TABLE|UPDATE\s+\w+\s+SET)\s`,
)
