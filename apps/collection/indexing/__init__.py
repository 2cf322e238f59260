"""Makes the index of crawled pages: their words, their main text, near-duplicates, marks."""
