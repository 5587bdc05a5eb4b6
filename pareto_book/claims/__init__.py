"""What the papers and the book claim, and the verdicts on what was measured.

`claims` reads what the papers claim and `own_claims` what the book says itself, in the
`own_sentences` of its pages, both with `blocks`; `criteria` are the rules of a verdict. `judging`
joins a claim with its measurement; `summary` does so for all chapters, and `counts`,
`differences`, `claim_tables`, `own_tables` and `overview` count and show them.
"""
