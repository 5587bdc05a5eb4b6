"""Formulations of an adhesive, whose strength and curing time are measured with noise."""

import numpy as np
import pandas as pd

import pareto_lab as lab

__all__ = [
    "DEVIATIONS",
    "MEANS",
    "OBJECTIVES",
    "UNITS",
    "formulations",
    "measure",
    "pareto_optimal",
    "run",
]

OBJECTIVES = {"strength": "max", "curing": "min", "price": "min"}
UNITS = {"strength": "N/mm²", "curing": "min", "price": "€/kg"}
DEVIATIONS = {"strength": 1.5, "curing": 4.0, "price": 0.0}  # the price is known
MEANS = {  # strength, curing time, price
    "acrylic": (22.0, 36.0, 9.0),
    "acrylic E": (18.5, 46.0, 9.5),
    "cyano": (15.5, 8.0, 15.0),
    "epoxy A": (30.0, 92.0, 14.0),
    "epoxy B": (26.0, 105.0, 14.0),
    "epoxy C": (29.4, 90.0, 14.0),
    "hotmelt": (9.0, 14.0, 4.0),
    "polyurethane": (16.0, 62.0, 7.0),
    "silicone": (6.0, 72.0, 8.0),
    "solvent": (11.0, 34.0, 5.0),
    "hybrid": (20.0, 30.0, 8.0),  # arrives later
}


def formulations() -> list[str]:
    """Names of the ten formulations with which the experiment begins."""
    return [name for name in MEANS if name != "hybrid"]


def measure(name: str, rng: np.random.Generator) -> dict[str, float]:
    """Make one specimen of a formulation: its strength, curing time and price."""
    strength, curing, price = MEANS[name]
    return {
        "strength": rng.normal(strength, DEVIATIONS["strength"]),
        "curing": rng.normal(curing, DEVIATIONS["curing"]),
        "price": price,
    }


def run(session: lab.Session, samples: int, rng: np.random.Generator) -> None:
    """Take samples of a session until it has a number of them, or is finished."""
    names = session.design.objectives
    while session.samples < samples and not session.finished:
        arm = session.ask()
        reward = measure(arm, rng)
        session.tell(arm, {name: reward[name] for name in names})


def pareto_optimal(names: list[str]) -> list[str]:
    """The formulations that are truly Pareto optimal among some."""
    values = np.array([MEANS[name] for name in names]) * [1.0, -1.0, -1.0]
    at_least = (values[:, None] >= values).all(axis=2)
    dominated = (at_least & ~at_least.T).any(axis=0)
    return pd.Index(names)[~dominated].tolist()
