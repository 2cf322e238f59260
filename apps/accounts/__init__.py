"""People: how they sign in, and their API tokens."""
