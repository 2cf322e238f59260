"""The commands that people give a crawl."""
