"""Arguments that the public functions of transportation costs refuse, and their words."""

import numpy as np
import pytest

from pareto_core import Partition, hypercube, orthant, partition_cost, transport_cost

REGION = {"problem": "constrained_pareto_set"}
BEST = {"problem": "best_arm_per_objective"}
SQUARE = {"polyhedron": hypercube(2)}
SEPARATE = {"weights": np.ones((3, 2))}
LINE = {"means": [[1.0], [2.0], [5.0]]}
NAN = float("nan")
# arguments instead of those of three arms, and the message
OF_THE_COST = [
    ({"variance": [1.0, 0.0]}, r"variance = \[1.0, 0.0\]; expected positive numbers"),
    ({"variance": [1.0]}, r"variance = \[1.0\]; .* shape \(3, 2\)"),
    ({"variance": [1e-300, 1.0]}, "means exceed 1e.150 standard deviations"),
    ({"variance": [[1.0, 1.0], [1e40, 1.0], [1.0, 1.0]]}, "variances of one objective from 1 "),
    ({"covariance": np.eye(3)}, "covariance = .*positive definite array of shape"),
    ({"covariance": np.eye(2), "variance": np.ones(2)}, "variance and covariance are both"),
    ({"covariance": np.eye(2), "method": "cells"}, "method = 'cells' with known noise"),
    ({"weights": np.ones((2, 3))}, r"weights has shape \(2, 3\); expected \(3,\)"),
    ({"weights": -np.ones((3, 2))}, "expected finite numbers of at least 0"),
    ({"weights": np.zeros((3, 2))}, "and one above 0"),
    ({"weights": np.full((3, 2), NAN)}, "expected finite numbers"),
    ({**SEPARATE, "method": "sweep"}, "method = 'sweep' with weights of shape"),
    ({**SEPARATE, **REGION}, "problem = 'constrained_pareto_set' with weights"),
    ({**SEPARATE, "variance": [1.0, 1.0]}, "variance = .* with weights"),
    ({**SEPARATE, "covariance": np.eye(2)}, "covariance = .* with weights"),
    ({**SEPARATE, "features": np.eye(3)}, "features = .* with weights"),
    (REGION, "polyhedron = None"),
    ({**REGION, "polyhedron": hypercube(3)}, "3 objectives"),
    (SQUARE, "expected None"),
    ({**REGION, **SQUARE, "method": "sweep"}, "expected 'auto'"),
    *(
        ({**BEST, "method": method}, f"^method = '{method}' for problem = '{BEST['problem']}'")
        for method in ("sweep", "branch_and_bound", "cells")
    ),
    *(
        ({"weights": weights}, f"^weights.*{message}")
        for weights, message in (
            ([1.0, 1.0, 1.0, 1.0], r"shape \(4,\)"),
            ([1.0, NAN, 1.0], r"\[1\] = nan"),
            ([0.5, -0.5, 1.0], r"\[1\] = -0.5"),
            ([0.0, 0.0, 0.0], "all zero"),
        )
    ),
    *(
        ({"method": method}, f"^method = {method!r}; expected one of auto, branch")
        for method in ("swep", None)
    ),
    ({"method": "swep"}, "did you mean 'sweep'"),
    *(
        ({"means": np.eye(3, d), "method": "sweep"}, f"^method = 'sweep' with means of {d} object")
        for d in (1, 3)
    ),
    ({"problem": "best_arms"}, "^problem = 'best_arms'.*did you mean 'best_arm_per_objective'"),
    ({**LINE, "features": [[1.0], [2.0]]}, "features has 2 rows; expected 3, one per arm"),
    ({**LINE, "features": [[1.0, 0], [0, 1], [1, 1]]}, r"means\[\d, 0\] is at distance 0.667"),
    ({**LINE, "features": np.ones((3, 2))}, "the same for all arms"),
    ({**LINE, "features": np.zeros((3, 2))}, "features are all zero"),
    ({**LINE, "features": np.eye(3), "method": "cells"}, "method = 'cells' with features"),
    ({**LINE, "features": np.eye(3), **REGION, "polyhedron": orthant([0])}, "features for problem"),
    ({"means": [[0.0], [1e100], [0.0]], "weights": [1e308] * 3}, "^weights of magnitude"),
]


@pytest.mark.parametrize(("changed", "message"), OF_THE_COST)
def test_a_cost_refuses(changed, message):
    given = {"means": [[1e100, 0.0], [0.0, 1.0], [-1.0, -1.0]], "weights": [1.0, 1.0, 1.0]}
    with pytest.raises(ValueError, match=f"(?s){message}"):
        transport_cost(**given | changed)


@pytest.mark.parametrize(
    ("partition", "noise", "message"),
    [
        (([0], [1], [2]), {}, "each arm from 0 to 1 exactly once"),
        (([True, False], [], []), {}, "three lists of arms"),
        (([0], [1], []), {}, "expected a valid partition"),
        (([1], [0], []), {}, "expected a valid partition"),
        (([0], [], [1]), {"variance": [1.0, 0.0]}, "variance = "),
        (([0], [], [1]), {"covariance": np.ones((2, 2))}, "covariance = "),
    ],
)
def test_the_cost_of_a_partition_refuses(partition, noise, message):
    given = [[0.5, 0.5], [2.0, 2.0]], [1.0, 1.0], hypercube(2), Partition(*partition)
    with pytest.raises(ValueError, match=f"(?s){message}"):
        partition_cost(*given, **noise)
