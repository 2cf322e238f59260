"""The Robots Exclusion Protocol (RFC 9309), and the X-Robots-Tag header."""
