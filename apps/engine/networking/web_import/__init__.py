"""Makes recorded webs of what other programs write: archives, HTML files, JSON."""
