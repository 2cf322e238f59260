"""Directories, and making topics from them."""
