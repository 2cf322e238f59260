"""Stored pages of a crawl: their bodies, and why each was fetched."""
