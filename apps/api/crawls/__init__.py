"""Crawls: what they did, what they find, and what is done to them."""
