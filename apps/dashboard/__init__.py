"""The live page of a crawl: charts, figures, feed.

The database is the truth and is tailed (`feed`); one tick is read by `readings`, put into words and
rows by `fragments`, into curves by `trajectory`, and packed by `payloads` as a snapshot or a delta.
The page as first loaded and every later message are made by the same functions, so that a reload
shows exactly the curve that streaming drew.
"""
