"""The index of crawled pages.

The words are in a table specific to the database (`full_text`), by page. Rows have the key of their
page (`page_id`) and are deleted with their crawl: a cascade over pages would load each one, and
SQLite finds a row fastest by its own row number.
"""

from __future__ import annotations

from apps.collection.models.bulk_labelling import BulkLabelling
from apps.collection.models.clusters import Cluster, Clustering
from apps.collection.models.entries import BINS, COUNTED_COLUMNS, CrawlSet, Entry, Fingerprint
from apps.collection.models.entry_mark import EntryMark
from apps.collection.models.main_text import UNDETERMINED, MainText
from apps.collection.models.progress import Progress
from apps.collection.models.saved_search import LONGEST_NAME, SavedSearch
from apps.collection.models.vectors import PageVector, TopicVectors

__all__ = [
    "BINS",
    "COUNTED_COLUMNS",
    "LONGEST_NAME",
    "UNDETERMINED",
    "BulkLabelling",
    "Cluster",
    "Clustering",
    "CrawlSet",
    "Entry",
    "EntryMark",
    "Fingerprint",
    "MainText",
    "PageVector",
    "Progress",
    "SavedSearch",
    "TopicVectors",
]
