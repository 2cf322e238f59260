"""Learning from labels while a crawl runs: which pages to label, and what their labels change."""
