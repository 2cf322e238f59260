"""One experiment: its matrix of cells, its results, topics, figures and recipe."""
