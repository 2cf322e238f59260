"""Documents, read like pages: PDF, Word, PowerPoint, Excel, OpenDocument and RTF.

A document is converted to a plain HTML page (`conversion.py`): its declared title, author, date and
language, its text with a section for each of its pages, and its links where they stand. From there
on it is a page like any other. The conversion is stored beside the document, so that no other
process ever opens the document itself.

    answer ─▶ converters.py ─▶ process.py ─▶ converting.py ─▶ pdf.py, office.py, opendocument.py,
              (the crawl)      (killable)                     rtf.py ─▶ conversion.py

What strangers send is opened in a process of its own (`process.py`) with limits on time and memory;
zip archives and XML have limits on size, entries and nesting, and no entities (`archive.py`).
"""
