"""The life of a crawl: its states, who holds it, the events it leaves, and its wake-ups."""
