"""What a person starts: the command line and the app, with every command and annex. Nothing imports this package."""
