"""Directories, and making topics of them."""
