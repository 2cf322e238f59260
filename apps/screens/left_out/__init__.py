"""What a crawl met and did not take, with what can be done about it."""
