"""Word vectors: words of like use have near ones, whatever the pages read hold.

Nothing is downloaded. `reading` opens a file in word2vec's text format or a folder of model2vec's
or WordLlama's two files, `stored` keeps the vectors of a crawl beside its topic, and `meanings`
gives each text the mean vector of its words.
"""
