"""Whose request it is, and what is shared with whom."""
