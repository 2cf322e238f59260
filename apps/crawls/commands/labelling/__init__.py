"""Commands that label pages and retrain the crawl, and what follows from a label."""
