"""Recorded webs and their pages."""
