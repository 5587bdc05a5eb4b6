"""Files of claims for tests, with few fields to write."""

import csv

from pareto_book.claims.claims import COLUMNS, Claim

NUMBER = {
    "id": "samples",
    "paper": "crepon2024",
    "kind": "number",
    "place": "Table 1",
    "what": "mean samples",
    "published": "100",
    "criterion": "within 10 %",
    "random": True,
    "rests_on": "public data",
    "determined_by": "Section 4",
    "others": [],
    "verdict": "reproduced",
}
STATEMENT = NUMBER | {
    "id": "fewer",
    "kind": "statement",
    "published": "“fewer”",
    "criterion": "< 1",
}
COUNT = NUMBER | {"id": "arms", "published": "3", "criterion": "digits", "random": False}
TIME = NUMBER | {
    "id": "seconds",
    "kind": "time",
    "published": "2.5",
    "criterion": "",
    "random": False,
    "verdict": "run time",
}


def make_claim(fields=NUMBER, **changes):
    """A claim with the fields that are given."""
    return Claim(**{**fields, **changes})


def write_claims(path, claims):
    """Write a file of claims, each a dict; what is not given is empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _as_text(value) for name, value in each.items()} for each in claims)


def _as_text(value):
    if isinstance(value, list):
        return " | ".join(value) or "none"
    return "yes" if value is True else value or ""
