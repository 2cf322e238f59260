"""Measures taken over the records of a crawl."""
