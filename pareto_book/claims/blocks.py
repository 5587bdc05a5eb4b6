"""Reading claims: a TOML file has one block for each, and a block the fields of a dataclass."""

import dataclasses
import re
import tomllib
from typing import Any

from pareto_book import paths
from pareto_core.checks.arguments import check_choice

__all__ = ["read_blocks"]

TYPES = {
    str: (str, "a text"),
    float: (float | int, "a number"),
    bool: (bool, "true or false"),
    list | None: (list, "a list of texts"),
}


def read_blocks(name: str, kind: type) -> dict[str, Any]:
    """Read the blocks of a file of ``data/``."""
    text = (paths.DATA / name).read_text(encoding="utf-8")
    try:
        blocks = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}; expected TOML with one block for each claim") from None
    claims = {}
    for claim, block in blocks.items():
        try:
            claims[claim] = kind(id=claim, **_checked(block, kind))
        except ValueError as error:
            raise ValueError(f"{name}, [{claim}]: {error}") from None
    return claims


def _checked(block, kind):
    """Fields of a block with their values, after checking names and types."""
    if not isinstance(block, dict):
        raise ValueError(f"it is {block!r}; expected a block of fields")
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name != "id"}
    for field in block:
        check_choice(field, "field", list(fields))
    for name, field in fields.items():
        if name not in block and field.default is dataclasses.MISSING:
            raise ValueError(f"{name} is missing; expected {TYPES[field.type][1]}")
    return {name: _checked_value(name, block[name], fields[name].type) for name in block}


def _checked_value(name, value, kind):
    expected, words = TYPES[kind]
    is_wrong = not isinstance(value, expected) or (kind is float and isinstance(value, bool))
    if is_wrong or (kind == list | None and not all(isinstance(each, str) for each in value)):
        raise ValueError(f"{name} = {value!r}; expected {words}")
    if kind is float:
        return float(value)
    return re.sub(r"\s*\n\s*", " ", value).strip() if kind is str else value
