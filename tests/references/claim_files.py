"""Files of claims for tests, with few fields to write."""

import json

from pareto_book.claims.claims import Claim

NUMBER = {
    "id": "samples",
    "paper": "crepon2024",
    "kind": "number",
    "place": "Table 1",
    "quantity": "mean samples",
    "published": "100",
    "criterion": "within 10 %",
    "random": True,
    "rests_on": "public data",
    "determined_by": "Section 4",
    "others": [],
    "verdict": "reproduced",
    "section": "A section",
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
    "verdict": "not judged",
}


def make_claim(fields=NUMBER, **changes):
    """A claim with the fields that are given."""
    return Claim(**{**fields, **changes})


def write_blocks(path, blocks):
    """Write a TOML file of blocks, each a dict with its name as ``id``."""
    lines = ["# a comment"]
    for block in blocks:
        fields = {field: value for field, value in block.items() if field != "id"}
        lines += ["", f"[{block['id']}]"]
        lines += [
            f"{field} = {json.dumps(value, ensure_ascii=False)}" for field, value in fields.items()
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
