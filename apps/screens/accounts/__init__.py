"""Signing in, a person's account, and the administrators' page."""
