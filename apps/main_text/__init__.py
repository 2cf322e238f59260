"""Main text extraction: the text that a person reads of a page, with language, date, author and
title.

It is read in a process of its own (`reader.py`), since the libraries take a hundred megabytes and
cannot be interrupted.
"""
