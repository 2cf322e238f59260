"""A small web of the project's own, to try the crawler on: generated, served on loopback.

Read in this order: `vocabulary` and `prose` (what is said), `plan` (hosts and pages), `graph`
(links and status), `addresses`, `pages` and `markup` (one page), `web` (the whole), `topic`.
"""
