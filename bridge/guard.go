package bridge

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// guard refuses browsers first and then whoever does not know the token, before
// anything of the request is looked at: not its path, not its body.
func (s *Server) guard(r *http.Request) *Error {
	switch {
	case fromBrowser(r.Header):
		return errBrowser
	case !s.knownHost(r):
		return errHost
	case !s.tokenFits(r.Header["Authorization"]):
		return errToken
	}
	return nil
}

// fromBrowser reports whether the request carries what browsers add and no page
// can take away. Access-Control-Request-* comes with preflights.
func fromBrowser(h http.Header) bool {
	for name := range h {
		if name == "Origin" || name == "Referer" || strings.HasPrefix(name, "Sec-Fetch-") ||
			strings.HasPrefix(name, "Access-Control-Request-") {
			return true
		}
	}
	return false
}

// knownHost stops DNS rebinding: a page of evil.example whose name was turned
// to 127.0.0.1 still sends its own name. A request line with a whole URL in it
// is for proxies, and would hide the Host header.
func (s *Server) knownHost(r *http.Request) bool {
	hosts := s.hosts()
	host := strings.ToLower(r.Host)
	return (host == hosts[0] || host == hosts[1]) && !r.URL.IsAbs()
}

// tokenFits compares digests, so that neither the time nor the length of the
// comparison tells anything of the token. Two headers are refused: somebody
// else might read the other one.
func (s *Server) tokenFits(headers []string) bool {
	if len(headers) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	digest := sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(digest[:], s.digest[:]) == 1
}
