"""Crawls that start from a sentence, three pages or four front pages."""
