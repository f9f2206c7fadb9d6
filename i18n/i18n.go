// Package i18n turns codes and labels into sentences of the person's
// language: one TOML file a language, plurals and fallback by go-i18n.
//
// It knows no room of ours and keeps no current language: who needs sentences
// holds a Translator. The command line and MCP speak English and do not come
// here.
package i18n

import (
	"embed"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.toml
var files embed.FS

// Language is one that the app speaks.
type Language struct {
	Code string // "ko": the name of its file
	Name string // "한국어": what it calls itself
}

// languages is the one table; the first is what others fall back to.
var languages = []Language{
	{"en", "English"},
	{"ko", "한국어"},
}

// Languages lists what New can speak, in the order of the menu.
func Languages() []Language { return append([]Language(nil), languages...) }

// Translator speaks one language. It is safe for concurrent use.
type Translator struct {
	lang      string
	localizer func() *goi18n.Localizer // parses the files at the first sentence
}

// New returns a translator for the nearest language to lang: a tag ("ko-KR"),
// a locale's name ("ko_KR.UTF-8"), or several in order of preference with
// colons between ("ja:ko"). What is unknown or empty becomes English.
func New(lang string) *Translator {
	code := nearest(lang)
	return &Translator{
		lang:      code,
		localizer: sync.OnceValue(func() *goi18n.Localizer { return load(code) }),
	}
}

// Lang is the code of the language spoken, one of Languages.
func (t *Translator) Lang() string { return t.lang }

// Label returns the sentence of a key. args fill its placeholders as they
// are, never read as templates themselves; args["Count"], if there, chooses
// the plural form. A key that no language has comes back as itself.
func (t *Translator) Label(key string, args map[string]any) string {
	// The error only says that the sentence was taken from English.
	s, _ := t.localizer().Localize(&goi18n.LocalizeConfig{
		MessageID:    key,
		TemplateData: args,
		PluralCount:  args["Count"],
	})
	if s == "" {
		return key
	}
	return s
}

// nearest returns the code of the first wish that we speak.
func nearest(wishes string) string {
	tags := make([]language.Tag, len(languages))
	for i, l := range languages {
		tags[i] = language.Make(l.Code)
	}
	matcher := language.NewMatcher(tags)
	for wish := range strings.SplitSeq(wishes, ":") {
		// A locale's name has its encoding and variant behind: ko_KR.UTF-8@x.
		name, _, _ := strings.Cut(wish, ".")
		name, _, _ = strings.Cut(name, "@")
		tag, err := language.Parse(name)
		if err != nil {
			continue
		}
		if _, i, confidence := matcher.Match(tag); confidence != language.No {
			return languages[i].Code
		}
	}
	return languages[0].Code
}

// load reads English, to fall back to, and the language itself. It panics
// only if an embedded file is broken, which no test lets through.
func load(code string) *goi18n.Localizer {
	bundle := goi18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, name := range []string{languages[0].Code, code} {
		if _, err := bundle.LoadMessageFileFS(files, name+".toml"); err != nil {
			panic("read " + name + ".toml: " + err.Error())
		}
	}
	return goi18n.NewLocalizer(bundle, code)
}
