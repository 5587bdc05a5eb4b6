"""An experiment whose arms change, users who change theirs, and users who cheat."""
