"""Parts of the command line: exit statuses, and output as JSON."""

import argparse
import io
import json
import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class Parser(argparse.ArgumentParser):
    """A parser for which ``-1e-3`` is a number, as ``-1`` is, and not an option."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf)")  # as in Python 3.14


def call(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments select."""
    options = vars(parser.parse_args(arguments))
    command = options.pop("command", None)
    if command is None:
        parser.print_help()
        return 0
    if isinstance(sys.stdout, io.TextIOWrapper):  # what is recorded must not fail to be printed
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = command(**options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for buffered output
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except (OSError, ValueError) as error:
        print("error:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    return status or 0


def print_json(content: Mapping[str, Any]) -> None:
    """Print an object as JSON in one line."""
    print(json.dumps(_plain(content), ensure_ascii=False, allow_nan=False))


def _plain(value):
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
