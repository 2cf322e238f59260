"""Signing in, the account of a person, and the page of administrators."""
