"""Sharing topics, crawls and webs with persons, groups and everybody who can sign in."""
