"""Numbers in words, and what is drawn of them: one way for every screen, file and program."""
