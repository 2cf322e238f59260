"""Commands that begin, pause and end a crawl, or delete it."""
