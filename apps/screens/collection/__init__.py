"""The search of a collection."""
