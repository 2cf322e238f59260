"""The Robots Exclusion Protocol (RFC 9309), and the X-Robots-Tag header."""

DAY = 86_400.0
"""For how many seconds what the files of a site say is taken as valid."""
