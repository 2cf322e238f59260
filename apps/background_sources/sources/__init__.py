"""One file for each source of a background."""
