"""Collections of crawled pages: search, filters, near-duplicates."""
