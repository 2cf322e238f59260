"""Stored pages for display: text, safe copy, and marked search words."""
