"""Crawls: set up, run, steered, read again."""
