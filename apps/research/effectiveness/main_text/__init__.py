"""Pages judged by their main text, and by all of their text."""
