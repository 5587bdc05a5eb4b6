"""What the chapter on ranking and selection computes, tabulates and draws."""
