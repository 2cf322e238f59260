"""Opt-outs: what a page and its headers say about its use by machines, one form a file.

They are recorded as written and not interpreted beyond what they say. A new form is a file with an
`OptOutForm` and a line in `catalogue`.
"""
