"""Backgrounds: listing, building and deleting them."""
