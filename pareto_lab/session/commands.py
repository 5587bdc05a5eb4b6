"""The command line of sessions: ``python -m pareto_lab session``.

Each command loads the file of a session, does one thing, and writes the file again, while a lock
makes other writers wait. A reward that was told is in the file when the command returns.
"""

import argparse
import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pareto_core.algorithms.registry import algorithm_named, class_named, value_of
from pareto_core.checks.arguments import shown
from pareto_core.confidence.boxes import UNKNOWN
from pareto_lab.experiment import session_file
from pareto_lab.experiment.names import is_named
from pareto_lab.experiment.reward_tables import number_in
from pareto_lab.session.loading import load_session
from pareto_lab.session.replay import write_restorable
from pareto_lab.session.session import Session
from pareto_lab.statements.data_warnings import remarks_of
from pareto_lab.statements.terminal import answer_of, state_of, table_of

ENDINGS = {"--html": (".html", ".htm"), "--markdown": (".md", ".markdown")}
ENDED = 3  # exit status of `ask` after the end
EXAMPLES = """examples:
  {0} session new mine.json TrackAndStop --delta 0.05 --arms A B C \\
      --objectives protection=max fever=min --units fever=°C --standard-deviation 2 0.5 \\
      --costs 1 2.5 1 --budget 500
  {0} session ask mine.json
  {0} session tell mine.json B 12.5 37.9
  {0} session tell mine.json B fever=37.9 protection=12.5
  {0} session tell-all mine.json results.csv --id tube
  {0} session status mine.json
  {0} session report mine.json --html report.html
"""


def add_to(commands: Any, program: str) -> None:
    """Add ``session`` and its subcommands to a command line.

    Parameters
    ----------
    commands
        The object that ``add_subparsers`` of the parser returned.
    program : str
        Name of the program, for the help.
    """
    text = "run an experiment of your own"
    parser = commands.add_parser(
        "session",
        help=text,
        description=f"{text[0].upper()}{text[1:]}, whose state is in a file.",
        epilog=EXAMPLES.format(program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    inner = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command, add_options, text in (
        ("new", new, _add_new_options, "begin a session in a new file"),
        ("ask", ask, _add_ask_options, "print the arm to sample next"),
        ("tell", tell, _add_tell_options, "report one reward of an arm that was asked for"),
        ("tell-all", tell_all, _add_tell_all_options, "report the rewards of a CSV file"),
        ("status", status, None, "print the state of the session"),
        ("report", report, _add_report_options, "write a report of the session"),
    ):
        sub = inner.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        sub.set_defaults(command=command)
        if command is not new:
            sub.add_argument(
                "--own",
                action="append",
                default=[],
                metavar="MODULE:CLASS",
                help="class of an algorithm that the package does not provide",
            )
        sub.add_argument("file", metavar="FILE", help="file of the session")
        if add_options:
            add_options(sub)


def _number_or_unknown(text):
    number = UNKNOWN if text == UNKNOWN else number_in(text, float)
    if isinstance(number, str) and number != UNKNOWN:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number, or {UNKNOWN}")
    return number


def _add_new_options(sub):
    some = functools.partial(sub.add_argument, nargs="+", metavar="X")
    sub.add_argument("algorithm", metavar="ALGORITHM", help="see pareto-core algorithms")
    sub.add_argument("--delta", metavar="D", help="risk, the same as --set delta=D")
    some("--set", dest="settings", default=[], help="NAME=VALUE, parameters of the algorithm")
    some("--arms", required=True, help="names of the arms, or their number")
    some("--objectives", required=True, help="NAME=max or NAME=min of each, or their number")
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
    text = "identifier of the sample, before ARM; a sample told before is skipped"
    sub.add_argument("--id", metavar="ID", help=text)
    sub.add_argument("arm", metavar="ARM")
    sub.add_argument(
        "reward",
        nargs=argparse.REMAINDER,
        metavar="VALUE ...",
        help="one number per objective, in their order, or NAME=NUMBER of each",
    )


def _add_tell_all_options(sub):
    sub.add_argument("table", metavar="CSV", help="with columns arm and the objectives")
    text = "column of sample identifiers; rows of those told before are skipped"
    sub.add_argument("--id", metavar="COLUMN", help=text)
    text = "count rows that have the values of earlier ones, as new samples"
    sub.add_argument("--repeat", action="store_true", help=text)


def _add_report_options(sub):
    target = sub.add_mutually_exclusive_group()
    target.add_argument("--html", metavar="OUT", help="to this file, whose name ends in .html")
    target.add_argument("--markdown", metavar="OUT", help="to this file, whose name ends in .md")
    sub.add_argument("--delta", default="0.1", metavar="D", help="risk; default: 0.1")
    sub.add_argument("--rule", default="joint", help="joint (default), or pairs: any correlation")
    sub.add_argument("--unknown-variance", action="store_true", help="of Gaussian noise")


def new(
    file: str,
    algorithm: str,
    delta: str | None,
    settings: Sequence[str],
    arms: Sequence[str] | None,
    objectives: Sequence[str] | None,
    standard_deviation: Sequence[float | str] | None,
    bounds: Sequence[float] | None,
    budget: str | None,
    **rest: Any,
) -> None:
    """Begin a session.

    Parameters
    ----------
    file : str
        Name of the new file.
    algorithm, delta, settings
        See the command ``run``.
    arms, objectives : sequence of str
        Names, or a single number.
    standard_deviation : sequence of float, or ["unknown"], or None
        One, or one per objective. This or ``bounds`` has to be stated, unless the algorithm states
        the noise.
    bounds : sequence of float or None
        Two, or two for each objective.
    budget : str or None
    **rest
        Units, costs and seed.

    Raises
    ------
    ValueError
        If the file exists, or an argument is invalid; see `Session`.
    """
    chosen = algorithm_named(
        algorithm, settings if delta is None else [*settings, f"delta={delta}"]
    )
    if standard_deviation is None and bounds is None and not chosen.knows_noise:
        raise ValueError(
            "--standard-deviation is missing; expected --standard-deviation X of the noise, or one "
            f"X per objective, or --standard-deviation {UNKNOWN}, or --bounds LOW HIGH"
        )
    given = {"arms": arms, "objectives": objectives}
    for name, values in given.items():
        if len(values) == 1 and values[0].isdecimal():
            rest[f"n_{name}"] = int(values[0])
        else:
            rest[name] = values if name == "arms" else _directions(values)
    rest["units"] = dict(_pair(text, "--units") for text in rest["units"])
    deviation = standard_deviation
    if deviation is not None and len(deviation) == 1:
        deviation = deviation[0]
    rest["budget"] = None if budget is None else value_of(budget)
    rest["bounds"] = None if bounds is None else _in_pairs(bounds)
    session = Session(chosen, standard_deviation=deviation, **rest)
    with session_file.locked(file):
        if Path(file).exists():
            raise ValueError(f"{file} exists already; expected a new name")
        write_restorable(session, file)


def _in_pairs(numbers):
    """One pair, or a list of pairs."""
    pairs = [numbers[k : k + 2] for k in range(0, len(numbers), 2)]
    if len(pairs[-1]) == 1:
        raise ValueError(
            f"--bounds {shown(numbers)}; expected LOW HIGH, once or for each objective"
        )
    return pairs[0] if len(pairs) == 1 else pairs


def ask(file: str, own: Sequence[str], n: int | None) -> int | None:
    """Print the arm to sample next, or up to n arms, one per line.

    Returns
    -------
    int or None
        The exit status 3 if the session has ended; nothing is printed then.
    """
    with _changed(file, own) as session:
        if session.finished:
            return ENDED
        arms = [session.ask()] if n is None else session.ask_many(n)
    for arm in arms:
        print(arm)
    return None


def tell(file: str, own: Sequence[str], arm: str, reward: Sequence[str], id: str | None) -> None:
    """Report one reward, and print the state of the session.

    Parameters
    ----------
    file : str
    own : sequence of str
        Algorithms of your own that the file may name, as ``module:Class``.
    arm : str
    reward : sequence of str
        Numbers in the order of the objectives, or ``name=number`` of each.
    id : str or None
        Identifier of the sample.
    """
    named = all("=" in text for text in reward)
    pairs = [_pair(text, "reward") if named else (None, text) for text in reward]
    numbers = [number_in(text, float) for _, text in pairs]
    with _changed(file, own) as session:
        names = [name for name, _ in pairs]
        if named and len(set(names)) < len(names):
            raise ValueError(f"reward = {' '.join(reward)}; expected each objective once")
        value = dict(zip(names, numbers, strict=True)) if named else numbers
        before = session.samples + session.waiting.sum()
        session.tell(_arm(session, arm), value, id=id)
        is_skipped = session.samples + session.waiting.sum() == before
    if is_skipped:
        print("skipped: the sample was told before")
    print(state_of(session))


def tell_all(file: str, own: Sequence[str], table: str, id: str | None, repeat: bool) -> None:
    """Report the rewards of a CSV file, and print the state of the session.

    Parameters
    ----------
    file : str
    own : sequence of str
        See `tell`.
    table : str
        Name of the CSV file.
    id : str or None
        Name of the column of sample identifiers.
    repeat : bool
        See `Session.tell_all`.
    """
    with _changed(file, own) as session:
        counted, skipped = session.tell_all(table, id=id, repeat=repeat)
    if id is not None:
        print(f"{counted} rows counted, {skipped} skipped that were told before")
    print(state_of(session))


def status(file: str, own: Sequence[str]) -> None:
    """Print the state of the session, and a table of the arms."""
    session = load_session(file, [class_named(name) for name in own])
    counts = session.pulls, session.waiting, session.outstanding
    lines = {
        "algorithm": repr(session.algorithm),
        "question": session.algorithm.question.name,
        "samples": "{} used, {} waiting, {} outstanding".format(*(each.sum() for each in counts)),
        "cost": f"{session.spent:g}" + (f" of {session.budget:g}" if session.budget else ""),
        "state": state_of(session),
        "answer": answer_of(session),
    }
    if session.withdrawn:
        arms = ", ".join(map(str, dict.fromkeys(each.arm for each in session.withdrawn)))
        lines["withdrawn"] = f"{len(session.withdrawn)} rewards, of {arms}"
    for name, text in lines.items():
        print(f"{name:10} {text}")
    for text, is_warning in remarks_of(session._ledger):
        print(f"{'WARNING' if is_warning else 'remark':10} {text}")
    print()
    print(table_of(session).to_string(index=False, na_rep="-", float_format="{:.6g}".format))


def report(
    file: str,
    own: Sequence[str],
    html: str | None,
    markdown: str | None,
    delta: str,
    rule: str,
    unknown_variance: bool,
) -> None:
    """Write a report of the session to a file, or print it as Markdown without its plot.

    Parameters
    ----------
    file : str
    own : sequence of str
        See `tell`.
    html, markdown : str or None
        Name of the file; at most one of the two.
    delta, rule : str
        See `Session.status`.
    unknown_variance : bool
        Whether to ignore the stated noise, and assume an unknown variance.

    Raises
    ------
    ValueError
        If a name has the wrong ending, or an argument is out of range.
    """
    for option, out in (("--html", html), ("--markdown", markdown)):
        if out is not None and not out.lower().endswith(ENDINGS[option]):
            expected = " or ".join(ENDINGS[option])
            raise ValueError(f"{option} {out}; expected a name that ends in {expected}")
    session = load_session(file, [class_named(name) for name in own])
    request = value_of(delta), rule, UNKNOWN if unknown_variance else None
    if html or markdown:
        session.report(html or markdown, *request)
    else:
        from pareto_lab.statements.experiment_report import as_text  # Matplotlib is slow to import

        print(as_text(session, session.status(*request), request[-1]), end="")


@contextlib.contextmanager
def _changed(file, own):
    """The session of a locked file, which is written again unless an error occurs."""
    kinds = [class_named(name) for name in own]
    with session_file.locked(file):
        session = load_session(file, kinds)
        try:
            yield session
        except RuntimeError as error:  # the session has ended
            raise ValueError(str(error)) from error
        write_restorable(session, file)


def _pair(text, name):
    """Name and value of a text of the form NAME=VALUE."""
    left, equals, right = text.rpartition("=")
    if not equals:
        raise ValueError(f"{name} {text}; expected NAME=VALUE")
    return left, right


def _directions(texts):
    """Objectives and their directions, by default "max"."""
    pairs = [_pair(text, "--objectives") if "=" in text else (text, "max") for text in texts]
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"--objectives {' '.join(texts)}; expected distinct names")
    return dict(pairs)


def _arm(session, text):
    """An arm by its name, or by its number if there are no names."""
    return text if is_named(session.design.arms) else number_in(text, int)
