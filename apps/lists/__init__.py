"""One reader for every list of addresses: seeds, examples, targets, labels, in-links, hosts.

`read_list` takes the bytes of a file or the text of a field and returns a `ListReading`: how it was
read (format, encoding, delimiter, heading, columns), an entry for each address with its line, and
the lines without one, each with its reason and a correction. Nothing is taken or dropped silently:
entries, duplicates, refused, empty and passed lines add up to the lines of the file.

    unpacking   gzip, within limits
    decoding    bytes to text
    formats/    one file each: delimited text, plain lines, workbooks, bookmarks, OPML, …
    columns     which column has the addresses, which line is the heading
    addresses   the address in a cell, or why there is none
    numbers     whole numbers as either locale writes them
    reading     all of it together
    streaming   the same of files too long for memory, row by row
"""
