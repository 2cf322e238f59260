"""Work in the background, and what stands in the data folder about the running site."""
