"""A stored page for its readers: its text, a copy safe to look at, and words found in it."""
