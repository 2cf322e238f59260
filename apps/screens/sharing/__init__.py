"""Sharing topics, crawls and webs with people, groups and everybody who can sign in."""
