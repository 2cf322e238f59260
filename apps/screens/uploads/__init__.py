"""Uploads under way."""
