"""A list as it was understood, before anything of it is taken; shown wherever a list is."""
