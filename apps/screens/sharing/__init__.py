"""Sharing topics, crawls, webs and directories with people, groups and everybody signed in."""
