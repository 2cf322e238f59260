"""What a crawl is given besides its topic, and the lists that an analyst adds for it."""
