"""Opt-outs: what a page, its headers and files of its site say about its use by machines.

They are recorded as written and not interpreted beyond what they say. A new form of a page is a
file with an `OptOutForm` and a line in `catalogue`, one of a site's file a `SiteForm` and a line in
`site_catalogue`.
"""
