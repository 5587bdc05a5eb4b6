"""What mypy has to refuse, and nothing else; it is never run."""

import pareto_core as pc

covid = pc.load_instance("cov_boost")
session = pc.Session(pc.APE(), n_arms=2, n_objectives=1, standard_deviation=1.0)

pc.simulate("TrackAndStop", covid, runs=3)  # wrong
pc.simulate(pc.APE(), covid, runs="many")  # wrong
pc.APE(delta="small")  # wrong
pc.Instance(means=None)  # wrong
session.tell(None, [1.0])  # wrong
session.tell(0, [1.0])
print(covid.mean)  # wrong
