"""Formats of directories, one file each."""
