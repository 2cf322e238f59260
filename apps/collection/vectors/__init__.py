"""Vectors of pages' main texts, so that near pages can be told from far ones.

A topic has one `TextSpace`: by its pages' own words (latent semantic analysis), or by the word
vectors that an administrator names. `page_vectors` writes a vector for each page in the background
and reads them in blocks; `apps.collection.nearness` compares all of them with a query, exactly.
"""
