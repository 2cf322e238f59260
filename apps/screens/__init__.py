"""What people see: a folder for each screen with its views, forms, rows and addresses.

Screens read the domain and are imported by nothing but `crawlsite`. Templates stand in a folder of
the same name below `templates/`.
"""
