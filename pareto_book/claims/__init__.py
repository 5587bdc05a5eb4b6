"""What the papers and the book claim, what was measured, and the verdicts.

`claims` reads what the papers claim and `own_claims` what the book says itself, in the
`own_sentences` of its pages; `criteria` are the rules of a verdict. A chapter records what it
measures in a `scorecard`; `summary` collects those of all chapters, and `claim_tables`,
`own_tables`, `overview` and `differences` show them.
"""
