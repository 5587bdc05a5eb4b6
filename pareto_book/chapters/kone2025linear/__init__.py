"""Arms with features: rounds on six arms, error rates, samples, checks of proofs, wrong models.

`idea`, `six_arms` and `gap_picture` introduce the problem; `error_rates`, `sample_counts` and
`families` are about the paper's figures, `readings` about its data, `lemmas`, `good_event`,
`counts`, `bounds` and `designs` about its theory, `accuracy` and `wrong_models` about its limits.
"""
