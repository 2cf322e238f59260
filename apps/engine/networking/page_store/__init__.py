"""Answers as WARC records in files: packed, written once, read back, erased."""
