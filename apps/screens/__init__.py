"""The screens: a folder for each with its views, forms, rows and addresses.

Screens read the domain; only `crawlsite` imports them. Their templates are in a folder of the same
name in `templates/`.
"""
