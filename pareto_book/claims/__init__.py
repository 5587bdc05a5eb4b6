"""What the papers print, and how it compares with what the chapters measure.

`claims` reads ``data/published/``, `criteria` turns a claim and a measurement into a verdict,
`card` is what chapters use, and `scorecard` has the rows of all chapters with their counts.
"""
