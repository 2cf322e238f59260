"""Numbers in words and in plots, the same for every screen, file and program."""
