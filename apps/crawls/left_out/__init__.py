"""What a crawl met and did not take: by reason, with its remedy, as a list."""
