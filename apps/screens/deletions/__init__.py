"""Deletions in the background, shown above the lists that their rows have left."""
