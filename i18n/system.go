package i18n

// System returns the language that the person asked for, as New takes it:
// PLAYPETS_LANG, or else what the system says. getenv is os.Getenv.
func System(getenv func(string) string) string {
	if lang := getenv("PLAYPETS_LANG"); lang != "" {
		return lang
	}
	return system(getenv)
}
