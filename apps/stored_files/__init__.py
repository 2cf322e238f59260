"""The files of the data folder, and the store behind it where machines share no folder."""
