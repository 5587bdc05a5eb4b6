"""A rule of one's own: the picture of its idea, mistakes that are refused, and its speed."""
