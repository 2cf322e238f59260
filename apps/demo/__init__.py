"""The demo web: generated pages to try the crawler on, served on loopback.

Read in this order: `vocabulary` and `prose` (the text), `plan` (hosts and pages), `graph` (links
and status), `addresses`, `pages` and `markup` (one page), `web` (the whole), `topic`.
"""
