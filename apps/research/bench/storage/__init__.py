"""What the pages of a crawl cost with their rows, and the database for them:
`manage.py bench --storage`."""
