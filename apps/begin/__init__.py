"""Beginning a topic with a sentence: what it means, pages to answer for, and the first crawl.

A `Draft` has what a person typed. A background job gathers candidate pages for it from the
catalogue in `sources` and notes every query in the draft's journal; the person answers whether each
page is meant. `services.start_crawl` makes the topic and its crawl.

    sentences   what a sentence asks for, and what it excludes
    kin         words that stand beside the given ones in the gathered pages
    fitting     how well a page fits the words and the answers
    adviser     proposals of a language model that an administrator names
    turns       the order in which candidate pages are shown
    excerpts    the part of a page that decided
    start_cost  what the first crawl will cost
    sources     where candidate pages come from, one file each
"""
