"""People: how they sign in, and their keys to the API."""
