"""What each screen costs on a site with much in it: `manage.py bench --screens`."""
