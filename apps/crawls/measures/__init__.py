"""Measures over the stored records of a crawl."""
