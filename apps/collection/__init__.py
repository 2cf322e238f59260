"""Crawled pages, found again: search, filters, near-duplicates."""
