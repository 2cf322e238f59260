"""The first screen of a new owner: the demo crawl, or the progress of its preparation."""
