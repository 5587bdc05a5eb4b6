"""One sampling rule for every question: its path with known means, and checks of its theorem.

`cases` names the questions, `fluid` follows the rule and the kernels of other algorithms with the
averages held at the means, `rule_path` follows the rule with noise. `lemmas` checks the statements
of the appendix *Proofs*, Section 11, case by case, and `any_positive` the need to add forced
samples to the targets. `oracle_runs` reads the runs beside an oracle, `oracle_rows` measures what
the chapter states of them, `oracle_toy` explains them, `rare_arm` and `paper_instances` compare
further. `checks` and `oracle_tables` make the tables; `fig_fluid`, `fig_potential` and `fig_oracle`
draw the figures.
"""
