"""What a person can do to a crawl."""
