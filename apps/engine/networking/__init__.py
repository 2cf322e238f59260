"""Fetches pages, politely and through an address guard, from the Web or from a recorded web."""
