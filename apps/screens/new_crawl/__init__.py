"""The form that sets up a crawl."""
