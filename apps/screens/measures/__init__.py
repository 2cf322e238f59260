"""The measures of a crawl."""
