"""Crawls: their events, their pages, and the actions on them."""
