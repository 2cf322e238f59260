"""Topics, with their files, inputs and backgrounds, and directories, which topics are made of."""
