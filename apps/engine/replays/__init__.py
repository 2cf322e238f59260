"""Recorded webs prepared for many crawls: each page is parsed once and kept in columns on disk.

    web.urls() ──▶ parts.py ──▶ joining.py ──▶ columns on disk ──▶ documents.py ──▶ parsed_web.py
                   parses a      joins the      (columns.py,        one page as      answers with
                   part of the   parts, one     strings.py,         a Document       documents, for
                   pages         dictionary     url_index.py)                        the fetch loop

A page is a row of numbers (`page_rows.PageRow`) with the positions of its words, links, layout and
texts in the columns. Words are numbers of the web's own lexicon, so that a crawl looks a word up
once and not at every occurrence (`representation.tokens`). The link contexts of strategies' default
parameters are columns too (`prepared_contexts.py`). All processes map the same files; `version.py`
recognises those made by other code.

`preparing.py` builds a folder: several processes share the work, and a kill loses a part at most.
A page that columns cannot hold (a redirect with a body, a challenge, a meta refresh, one
that takes too long to parse) is marked, and read and parsed as in any other crawl.
"""
