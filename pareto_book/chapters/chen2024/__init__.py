"""Cases of lemmas, runs and figures of the chapter on the best arm of every objective.

`evidence` states what is maximised, `steps` follows MO-BAI as a plain loop, and `lemmas` and
`buffer` check the paper's proofs on cases. `draws`, `networks`, `tracking`, `risks` and `limits`
run algorithms and summarise the runs, and `programs` solves one linear program.
"""
