"""The inputs of a crawl besides its topic, and the needs of strategies."""
