"""Recorded webs."""
