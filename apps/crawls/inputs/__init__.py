"""What a crawl is given besides its topic, and what strategies need."""
