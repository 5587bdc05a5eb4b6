"""Files of claims for tests, with few columns to write."""

import dataclasses

from pareto_book.claims.claims import Claim

FIELDS = [field.name for field in dataclasses.fields(Claim)]
NUMBER = {
    "id": "samples",
    "paper": "crepon2024",
    "kind": "number",
    "place": "Table 1",
    "quantity": "mean samples",
    "published": "100",
    "criterion": "within 10 %",
    "random": "yes",
    "rests_on": "public data",
    "determined_by": "Section 4",
    "others": "none",
    "verdict": "reproduced",
    "section": "A section",
}
STATEMENT = NUMBER | {
    "id": "fewer",
    "kind": "statement",
    "published": "“fewer”",
    "criterion": "< 1",
}
COUNT = NUMBER | {"id": "arms", "published": "3", "criterion": "digits", "random": ""}
TIME = NUMBER | {
    "id": "seconds",
    "kind": "time",
    "published": "2.5",
    "criterion": "",
    "random": "",
    "verdict": "not judged",
}


def make_claim(columns=NUMBER, **changes):
    """A claim with the columns that are given, all others empty."""
    return Claim(**{**dict.fromkeys(FIELDS, ""), **columns, **changes})


def write_claims(path, rows, fields=FIELDS):
    """Write a file of claims, from as many columns of each as are not empty."""
    lines = ["# a comment", ",".join(fields)]
    lines += [",".join(f'"{row.get(field, "")}"' for field in fields) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
