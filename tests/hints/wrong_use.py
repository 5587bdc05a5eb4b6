"""What mypy has to refuse, and nothing else; it is never run."""

import pareto_core as pc
import pareto_lab as lab

covid = pc.load_instance("cov_boost")
session = lab.Session(pc.APE(), n_arms=2, n_objectives=1, standard_deviation=1.0)

pc.simulate("TrackAndStop", covid, runs=3)  # wrong
pc.simulate(pc.APE(), covid, runs="many")  # wrong
pc.Instance(means=None)  # wrong
session.tell(None, [1.0])  # wrong
session.tell(0, [1.0])
print(covid.mean)  # wrong

pc.TrackAndStop(threshold="provn")  # wrong
pc.Certified(pc.APE(), variance="unknow")  # wrong
session.status(rule="joints")  # wrong
pc.characteristic_time(covid.means, problem="pareto")  # wrong
pc.transport_cost(covid.means, [1.0] * 20, method="swep")  # wrong
pc.simulate(pc.APE(), covid, runs=3, backend="thread")  # wrong
lab.Session(pc.APE(), 2, objectives={"fever": "less"}, standard_deviation=1.0)  # wrong
session.tell_all({"arm": [0], "0": [1.0]}, repeat="yes")  # wrong


class Mine(pc.PythonAlgorithm):
    """An algorithm that takes its record for another."""

    def stop(self, record: pc.RecordView, memory: None) -> bool:
        return record.mean.sum() > 0  # wrong
