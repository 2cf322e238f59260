"""Crawls: set up, run, steered, and read."""
