package speech

import (
	"regexp"
	"slices"
	"strings"
)

// token is a key or token that shows by its form. The many forms that are longer
// than these are seen by isRandom.
var token = either(
	`-----\s?BEGIN\b`,
	`\b(?:gh[opsur]|hf|npm|dop_v1|shpat|whsec)_[A-Za-z0-9]{16,}`, `\bgithub_pat_\w{16,}`, `\bglpat-[\w-]{16,}`,
	`\bsk-[A-Za-z0-9]{16,}`, `\bsk-(?:ant|proj|svcacct|admin|or)-[\w-]{12,}`, // OpenAI, Anthropic
	`\b[prs]k_(?:live|test)_[A-Za-z0-9]{8,}`,   // Stripe
	`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`,             // Amazon
	`\bAIza[\w-]{20,}`,                         // Google
	`\bxox[a-z]-[\w-]{8,}`,                     // Slack
	`\beyJ[\w-]{6,}\.[\w-]{6,}`,                // JSON web token
	`(?i)\bbearer\s+[\w.~+/-]*\d[\w.~+/-]{8,}`, // Authorization: Bearer …
	`[^\s:@]:[^\s:@/]+@[\w-]+\.\w`,             // user:password@host
	`(?i)\bpass=\S*[a-z]\S*\d`,                 // not "pass=41 fail=1"
	`\b[A-Za-z0-9+/]{16,}==(?:[^=\w]|$)`,       // base64
	`(?i)\b(?:otp|pin|(?:otp|pin|2fa|mfa|sms|verification|security|one-time)\s+code)\s*(?:[:=]|\bis\b)\s*\d{4,8}\b`,
)

// joint is what joins a name to its value: a sign, "is" in the languages of the
// names, or a space.
const joint = `["'\])]*\s*(:=|[:=]+|->|→|\b(?i:is|ist|est|es)\b|é\s|[는은이가はが是为為]|\s)["'(\[<\s]*`

// named is a word for a secret, in several languages, up to its value.
var named = either(`(?i)((?:api|access|secret|private|signing|encryption)[ _-]?keys?|` +
	`passwords?|passwds?|pwd?s?|credentials?|passphrases?|passcodes?|secrets?|tokens?|` +
	`passwort|kennwort|contraseña|mot de passe|senha|hasło|пароль|비밀번호|암호|토큰|パスワード|トークン|密码|密碼|口令)` + joint)

// keyed is any other key up to its value.
var keyed = either(`(?i)(keys?)` + joint)

// hasSecret reports whether folded text tells a secret.
func hasSecret(s string) bool {
	return token().MatchString(s) ||
		slices.ContainsFunc(run().FindAllString(s, -1), isRandom) ||
		slices.ContainsFunc(claims(named(), s), claim.isSecret) ||
		slices.ContainsFunc(claims(keyed(), s), claim.isKey)
}

// run is what may be random, between the signs that part words.
var run = either(`[A-Za-z0-9]{20,}`)

// isRandom reports whether letters and digits stand together as no word has them:
// they change between small, capital and digit at every fourth place or more. Words
// written together do that less, and rarely with a digit. Random letters and digits
// do it at nearly every second place.
func isRandom(s string) bool {
	changes, digits := 0, 0
	for i := range len(s) {
		if s[i] <= '9' {
			digits++
		}
		if i > 0 && kind(s[i]) != kind(s[i-1]) && !(kind(s[i-1]) == 'A' && kind(s[i]) == 'a') {
			changes++
		}
	}
	return digits > 0 && changes*4 >= len(s)
}

// kind is the first of the digits, capitals or small letters: of those that c is one of.
func kind(c byte) byte {
	switch {
	case c <= '9':
		return '0'
	case c <= 'Z':
		return 'A'
	}
	return 'a'
}

// A claim is a name and what a message says is its value.
type claim struct {
	name, joint, value string
	last               bool // nothing follows
}

// claims are the names in s that re finds, with what follows each.
func claims(re *regexp.Regexp, s string) (all []claim) {
	for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
		value := s[at[1]:]
		end := strings.IndexFunc(value, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"',;", r) })
		if end < 0 {
			end = len(value)
		}
		all = append(all, claim{
			name:  strings.ToLower(s[at[2]:at[3]]),
			joint: s[at[4]:at[5]],
			value: strings.TrimRight(value[:end], ".:!?)]>}"),
			last:  !strings.ContainsFunc(value[end:], isAlnum),
		})
	}
	return all
}

var (
	letter = either(`[A-Za-z]`)
	digit  = either(`[0-9]`)
	other  = either(`[^A-Za-z0-9]`)
	sign   = either(`[^A-Za-z0-9._/'()-]`) // that no file's name and no English word has

	number = either(`(?i)^[~<>+-]?[\d.,/:]+(?:[a-z]{0,3}|%)$`) // 1200, 12k, 3/5, 30s
	// named by letters and digits, and known to everybody: v2, SHA-256, OAuth2, ABC-123, 12-digit
	public  = either(`(?i)^(?:v|sha|md|base|oauth|aes|rsa|argon|bcrypt|pbkdf|utf|[erhp]s|ed|x)-?\d[\d.-]*(?:id|[a-z])?$`, `^[A-Z]{2,}-\d+$`, `^\d{1,2}-[a-z]+$`)
	counted = either(`s$|^(?:token|토큰|トークン)$`) // a number is how many there are
	common  = either(`^(?:token|secret|credential)s?$`)
	// what is said of a secret rather than being one
	prose = either(`(?i)^(?:\w+ed|\w+ing|ok|done|set|unset|reset|missing|valid|invalid|empty|hidden|ready|works|` +
		`none|null|nil|true|false|yes|no|on|off|new|old|strong|weak|wrong|gone|fine|good|long|short|optional)$`)
)

// isSecret reports whether the value is a secret, given that its name says so.
func (c claim) isSecret() bool {
	v := c.value
	switch {
	case number().MatchString(v):
		return c.joint != " " && len(v) > 3 && !counted().MatchString(c.name)
	case public().MatchString(v), !letter().MatchString(v):
		return false
	case c.joint == " ": // "password hunter2", not "secret S3 bucket"
		return digit().MatchString(v) && len(v) > 5 && !common().MatchString(c.name)
	case digit().MatchString(v), sign().MatchString(v):
		return true
	case prose().MatchString(v):
		return false
	case c.joint[0] == ':':
		return c.last && !strings.HasSuffix(c.name, "s")
	}
	return c.joint[0] == '='
}

// isKey reports whether the value is a secret although its name may be that of
// a key to sort by.
func (c claim) isKey() bool {
	if number().MatchString(c.value) || public().MatchString(c.value) || !letter().MatchString(c.value) {
		return false
	}
	digits, plain := digit().MatchString(c.value), !other().MatchString(c.value)
	if strings.Contains(c.joint, "=") {
		return digits && len(c.value) >= 6 || plain && len(c.value) >= 16
	}
	return digits && plain && len(c.value) >= 12
}
