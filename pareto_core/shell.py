"""Parts that the command lines share: exit statuses and the options of a simulation."""

import argparse
import os
import sys
from collections.abc import Sequence

__all__ = ["INSTANCE", "add_simulation_options", "call"]

INSTANCE = (
    "see the command instances; parameters in parentheses, such as 'two_stage_hard(0.1)'; or "
    "module:function, or a CSV file of means or observations"
)


def call(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments select.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The default ``command`` of each of its subparsers is the function to call.
    arguments : sequence of str, optional
        Arguments of the command; by default those of the process.

    Returns
    -------
    int
        Exit status: that of the command, 0 by default; 2 if an argument is invalid; 1 if the
        reader of the output has closed it, as ``head`` does; 130 if the command was interrupted.
    """
    options = vars(parser.parse_args(arguments))
    command = options.pop("command", None)
    if command is None:
        parser.print_help()
        return 0
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


def add_simulation_options(sub: argparse.ArgumentParser) -> None:
    """Add the options that `simulate` and `compare` share to a command."""
    sub.add_argument("--runs", type=int, default=100, metavar="N", help="default: 100")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    sub.add_argument(
        "--jobs", type=int, default=os.cpu_count(), metavar="N", help="threads; default: all cores"
    )
    sub.add_argument(
        "--store", metavar="FOLDER", help="keep finished batches, and resume from them"
    )
    sub.add_argument(
        "--store-key", metavar="KEY", help="your name for this version of an algorithm in the store"
    )
    sub.add_argument(
        "--max-samples",
        type=int,
        default=10**9,
        metavar="N",
        help="samples of a run; default: 10^9",
    )
