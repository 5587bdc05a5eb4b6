"""What executing a chapter leaves: `measurements` of its runs, and `stamps` that say from what."""
