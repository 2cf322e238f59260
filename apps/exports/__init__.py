"""Formats that a collection can be downloaded in, one file each."""
