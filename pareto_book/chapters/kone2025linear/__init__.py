"""Arms with features: rounds on six arms, error rates, samples, wrong models.

`idea`, `six_arms` and `gap_picture` introduce the problem; `error_rates`, `sample_counts` and
`families` are about the paper's figures, `run_times` about its Table 2, `readings` about its data,
`wrong_models` about the limits of the model.
"""
