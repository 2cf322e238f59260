"""Word vectors that an administrator names: words of like use, whatever the pages read hold.

Nothing is downloaded. `reading` opens a file in word2vec's text format or a model2vec folder.
"""
