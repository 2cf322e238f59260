"""The account of a request, and shares with other people."""
