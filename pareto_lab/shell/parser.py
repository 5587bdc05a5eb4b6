"""The commands of ``python -m pareto_lab session``, and their options."""

import argparse
import functools
from typing import Any

from pareto_core.confidence.noise_kinds import UNKNOWNS
from pareto_lab.experiment.reward_tables import number_in
from pareto_lab.shell import changing, reading

EXAMPLES = """examples:
  {0} session new mine.json TrackAndStop --delta 0.05 --arms A B C \\
      --objectives protection=max fever=min --units fever=°C --standard-deviation 2 0.5 \\
      --costs 1 2.5 1 --budget 500
  {0} session ask mine.json
  {0} session tell mine.json A 12.5 37.9
  {0} session ask mine.json
  {0} session tell mine.json B fever=37.9 protection=12.5
  {0} session tell-all mine.json results.csv --id tube
  {0} session withdraw mine.json --id s42 --instead 12.5 37.9 --reason "wrong tube"
  {0} session status mine.json
  {0} session plan mine.json --means guess.csv --runs 200
  {0} session raise-budget mine.json 800
  {0} session report mine.json --html report.html
"""


def add_to(commands: Any, program: str) -> None:
    """Add ``session`` and its subcommands to a command line."""
    text = "run an experiment of your own"
    parser = commands.add_parser(
        "session",
        help=text,
        description=f"{text[0].upper()}{text[1:]}, whose state is in a file.",
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    inner = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (command, add_options, text) in COMMANDS.items():
        sub = inner.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(command=command)
        if command is not changing.new:
            _add_own_option(sub)
            sub.add_argument("--json", action="store_true", help="print one JSON object")
        sub.add_argument("file", metavar="FILE", help="file of the session")
        if add_options:
            add_options(sub)


def _add_own_option(sub):
    sub.add_argument(
        "--own",
        action="append",
        default=[],
        metavar="MODULE:CLASS",
        help="class of an algorithm that the package does not provide",
    )


def _number_or_unknown(text):
    if text in UNKNOWNS:
        return text
    number = number_in(text, float)
    if isinstance(number, str):
        texts = " or ".join(map(repr, UNKNOWNS))
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number, or {texts}")
    return number


def _add_new_options(sub):
    some = functools.partial(sub.add_argument, nargs="+", metavar="X")
    sub.add_argument("algorithm", metavar="ALGORITHM", help="see the command algorithms")
    sub.add_argument("--delta", metavar="D", help="risk, the same as --set delta=D")
    text = "NAME=VALUE, parameters of the algorithm"
    some("--set", dest="settings", default=[], action="extend", help=text)
    some("--arms", required=True, help="names of the arms, or their number")
    some(
        "--objectives",
        required=True,
        help="NAME=max or NAME=min (or minimize, ...) of each, or their number",
    )
    some("--units", default=[], help="NAME=UNIT of objectives that have one")
    some(
        "--standard-deviation",
        type=_number_or_unknown,
        help="of the noise: one number, one per objective, or unknown",
    )
    some(
        "--bounds",
        type=float,
        help="of the rewards instead: LOW HIGH, once or for each objective",
    )
    some("--costs", type=float, help="cost of a sample of each arm; default: 1")
    sub.add_argument("--budget", metavar="B", help="total cost of all samples")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")


def _add_ask_options(sub):
    sub.add_argument("-n", type=int, metavar="N", help="up to N arms, besides those outstanding")


def _add_tell_options(sub):
    text = "identifier of the sample; a sample told before is skipped"
    sub.add_argument("--id", metavar="ID", help=text)
    sub.add_argument("arm", metavar="ARM")
    text = "one number per objective, in their order, or NAME=NUMBER of each"
    sub.add_argument("reward", nargs="+", metavar="VALUE", help=text)


def _add_tell_all_options(sub):
    sub.add_argument("table", metavar="CSV", help="with columns arm and the objectives")
    text = "column of sample identifiers; rows of those told before are skipped"
    sub.add_argument("--id", metavar="COLUMN", help=text)
    text = "count rows that have the values of earlier ones, as new samples"
    sub.add_argument("--repeat", action="store_true", help=text)


def _add_withdraw_options(sub):
    which = sub.add_mutually_exclusive_group(required=True)
    text = "number of the sample in the order told, from 1"
    which.add_argument("--row", type=int, metavar="N", help=text)
    which.add_argument("--id", metavar="ID", help="identifier of the sample")
    text = "arm and reward as they were told; the last one, if told several times"
    which.add_argument("--told", nargs="+", metavar=("ARM", "VALUE"), help=text)
    sub.add_argument("--instead", nargs="+", metavar="VALUE", help="the right reward, as in tell")
    sub.add_argument("--reason", default="", metavar="TEXT", help="for the record")


def _add_budget_options(sub):
    sub.add_argument("budget", metavar="B", help="total cost of all samples, the past ones too")


def _add_retire_options(sub):
    sub.add_argument("arm", metavar="ARM")
    sub.add_argument("--reason", required=True, metavar="TEXT", help="for the record")
    way = sub.add_mutually_exclusive_group(required=True)
    text = "the question remains that about all arms"
    way.add_argument("--still-counts", action="store_true", help=text)
    text = "from now on the question is that about the remaining arms"
    way.add_argument("--left-out", dest="still_counts", action="store_false", help=text)


def _add_arm_options(sub):
    sub.add_argument("name", nargs="?", metavar="NAME", help="of the arm, if arms have names")
    origin = sub.add_mutually_exclusive_group(required=True)
    text = "the rewards told had no part in making or choosing the arm"
    origin.add_argument("--not-from-data", dest="made_from_data", action="store_false", help=text)
    text = "they had, so that they are no evidence, and the command is refused"
    origin.add_argument("--made-from-data", action="store_true", help=text)
    text = "risk of the algorithm from now on; default: the same"
    sub.add_argument("--delta", metavar="D", help=text)
    text = "feature vector, if arms have features"
    sub.add_argument("--features", nargs="+", type=float, metavar="X", help=text)
    sub.add_argument("--cost", type=float, metavar="C", help="of a sample, if there are costs")


def _add_request_options(sub):
    default = "default: that of the algorithm"
    sub.add_argument("--delta", metavar="D", help=f"risk of statements; {default}")
    sub.add_argument("--rule", help=f"joint, or pairs: any correlation; {default}")


def _add_status_options(sub):
    _add_request_options(sub)
    sub.add_argument("--unknown-variance", action="store_true", help="of Gaussian noise")


def _add_report_options(sub):
    text = "to this file, whose name ends in .html"
    sub.add_argument("--html", required=True, metavar="OUT", help=text)
    _add_status_options(sub)


def _add_plan_options(sub):
    text = "file of assumed means, with columns arm and the objectives"
    sub.add_argument("--means", required=True, metavar="CSV", help=text)
    sub.add_argument("--runs", type=int, default=100, metavar="N", help="default: 100")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    text = "of the simulated noise: one number, or one per objective; default: as stated"
    sub.add_argument("--standard-deviation", nargs="+", type=float, metavar="X", help=text)
    _add_request_options(sub)
    text = "samples at which an experiment is cut off"
    sub.add_argument("--max-samples", type=int, metavar="N", help=text)
    sub.add_argument("--jobs", type=int, metavar="N", help="threads; default: all cores")


COMMANDS = {  # the function, what adds its options, and a line of help
    "new": (changing.new, _add_new_options, "begin a session in a new file"),
    "ask": (changing.ask, _add_ask_options, "print the arm to sample next"),
    "tell": (changing.tell, _add_tell_options, "report one reward of an arm that was asked for"),
    "tell-all": (changing.tell_all, _add_tell_all_options, "report the rewards of a CSV file"),
    "withdraw": (changing.withdraw, _add_withdraw_options, "remove or replace a wrong reward"),
    "raise-budget": (changing.raise_budget, _add_budget_options, "continue with a higher budget"),
    "retire": (changing.retire, _add_retire_options, "never ask for an arm again"),
    "add-arm": (changing.add_arm, _add_arm_options, "go on with one more arm"),
    "status": (reading.status, _add_status_options, "print what is certain, and the state"),
    "plan": (reading.plan, _add_plan_options, "simulate what the experiment may cost"),
    "report": (reading.report, _add_report_options, "write a report of the session"),
}
