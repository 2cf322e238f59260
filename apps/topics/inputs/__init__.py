"""The inputs of a crawl besides its topic, and the lists that an analyst adds for it."""
