"""The pages of a recorded web as people look through them: indexed once, searched, split."""
