"""Commands that limit a crawl: its pages, hours and speed, and what it still has to find."""
