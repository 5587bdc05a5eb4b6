"""Algorithms of other papers that the book compares with, built on the public `Algorithm`.

`psips`, `oracle_posterior`, `paveba`, `ttpfts` and `frank_wolfe` are entrants of the arena and of
the chapter on the newcomers, and `plug_in` is one of the arena; `pal`, with its
`gaussian_process`, and `linear_pal` are the baselines of the papers on racing and on linear models.
`posterior` tests draws from the posterior.
"""

from pareto_book.rivals.frank_wolfe import FrankWolfe
from pareto_book.rivals.linear_pal import LinearPAL
from pareto_book.rivals.oracle_posterior import OraclePosterior
from pareto_book.rivals.pal import PAL
from pareto_book.rivals.paveba import PaVeBa
from pareto_book.rivals.plug_in import PlugIn
from pareto_book.rivals.psips import PSIPS
from pareto_book.rivals.ttpfts import TTPFTS

__all__ = [
    "PAL",
    "PSIPS",
    "TTPFTS",
    "FrankWolfe",
    "LinearPAL",
    "OraclePosterior",
    "PaVeBa",
    "PlugIn",
]
