"""Execute the chapters of the book, and only those whose inputs have changed.

Run it as ``python -m pareto_book.building.replicate [CHAPTER ...]``. A chapter is a MyST
notebook in ``notebooks/``. It is executed from top to bottom by papermill, side by side with
others, and the result becomes ``_build/executed/<profile>/<chapter>.ipynb``, with a stamp
beside it that says what it was made from. New prose is put into the executed notebook without
executing it again. The book is built from the copy in ``book/chapters/``.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import multiprocessing
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import jupytext
import matplotlib.font_manager  # noqa: F401  (makes its font cache here, not in a chapter)
import nbformat

from pareto_book import paths
from pareto_book.building.chapter_inputs import changes, chapter_inputs, file_digest
from pareto_book.building.execution import ChapterError, Task, as_bytes, execute, with_prose_of
from pareto_book.building.publishing import check_claims, publish_chapter
from pareto_book.building.reporting import Reporter
from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.own_sentences import all_sentences
from pareto_book.records.scorecard import PROFILES
from pareto_book.records.stamps import (
    executed_path,
    figures_path,
    make_stamp,
    published_profile,
    rows_path,
    stamp_path,
    write_atomically,
)
from pareto_core.checks.arguments import check_choice, check_count
from pareto_core.checks.machine import available_cores

NOT_EXECUTED = "This chapter has not been executed yet. `make book` does it."


def main(arguments=None):
    """Execute what has to be executed and return the exit status of the process."""
    options = _parse(arguments)
    try:
        replicate(**vars(options))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m pareto_book.building.replicate", description=__doc__
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="default: all of them")
    parser.add_argument("--profile", default="fast", help="fast (default) or full")
    parser.add_argument("--jobs", type=int, default=available_cores(), help="default: all cores")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--force", action="store_true", help="execute even what is up to date")
    parser.add_argument(
        "--no-publish", dest="publish", action="store_false", help="leave book/chapters as it is"
    )
    return parser.parse_args(arguments)


def replicate(
    chapters: Sequence[str] = (),
    profile: str = "fast",
    jobs: int = 1,
    seed: int = 0,
    force: bool = False,
    publish: bool = True,
) -> None:
    """Execute chapters and hand the results to the book."""
    known = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
    _check_options(chapters, known, profile, jobs, seed)
    asked = list(chapters or known)
    summaries = [chapter for chapter in known if _is_summary(chapter)]
    profiles = {  # of the executions that the summaries read: these, or copies in the book
        chapter: profile if chapter in asked or not publish else published_profile(chapter)
        for chapter in known
        if chapter not in summaries
    }
    first = [chapter for chapter in asked if chapter not in summaries]
    _bring_up_to_date([_Chapter(each, profile, seed, jobs) for each in first], jobs, force)
    shown = {  # all chapters of the book: a word of a claim may have changed in any of them
        chapter: found
        for chapter, found in profiles.items()
        if chapter in first or (publish and found is not None)
    }
    for chapter, found in shown.items():
        check_claims(chapter, found)
    missing = [chapter for chapter, found in profiles.items() if found is None]
    last = [chapter for chapter in summaries if publish or chapter in asked]
    if not missing:
        pages = [_Chapter(each, profile, seed, jobs, profiles) for each in last]
        _bring_up_to_date(pages, jobs, force)
        shown |= dict.fromkeys(last, profile)
    elif named := sorted(set(summaries).intersection(asked)):
        raise ValueError(
            f"chapter = {named[0]!r} needs {', '.join(missing)}; expected them executed before"
        )
    if publish:
        for chapter, found in shown.items():
            publish_chapter(chapter, found)
        _fill_gaps(known)


def _is_summary(chapter):
    """Whether a chapter summarises the results of the others, so that it is executed last."""
    return "summary" in _read_source(chapter).metadata


def _check_options(chapters, known, profile, jobs, seed):
    for chapter in chapters:
        check_choice(chapter, "chapter", known)
    check_choice(profile, "profile", PROFILES)
    check_count(jobs, "jobs")
    check_count(seed, "seed", at_least=0)


# What the book has


def _fill_gaps(known):
    """Write a placeholder page for each chapter that the book does not have."""
    missing = [chapter for chapter in known if published_profile(chapter) is None]
    for chapter in missing:
        title, labels = _outline(_read_source(chapter))
        cell = nbformat.v4.new_markdown_cell(f"{labels}\n\n# {title}\n\n{NOT_EXECUTED}")
        notebook = nbformat.v4.new_notebook(cells=[cell])
        write_atomically(paths.CHAPTERS / f"{chapter}.ipynb", as_bytes(notebook))
    if missing:
        print(f"not executed, the book has no more than their titles: {', '.join(missing)}")


def _outline(notebook):
    """Title of a chapter, and the label above it."""
    text = next(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    label, _, rest = text.rpartition("# ")
    return rest.split("\n")[0], label.strip()


# Executing


class _Chapter:
    """A chapter, how it is to be executed, and what is there already."""

    def __init__(self, name, profile, seed, jobs, profiles=None):
        self.name, self.profile, self.seed, self.jobs = name, profile, seed, jobs
        self.target = executed_path(name, profile)
        self.files = None  # folder for what an execution writes
        self.source = _read_source(name)
        self.parameters = {"profile": profile, "seed": seed, "n_jobs": jobs}
        self._summarised = {}
        if profiles is not None:  # the chapter summarises the others
            self.parameters["profiles"] = profiles
            self._summarised = {
                "chapters": _digest_of_executed(profiles),
                "sentences": hashlib.sha256(repr(all_sentences()).encode()).hexdigest(),
                "chapters with claims": chapters_with_claims(),
                "claims": [
                    file_digest(path)
                    for pattern in ("published/*.csv", "this_book/*.toml")
                    for path in sorted(paths.DATA.glob(pattern))
                ],
                "files": [file_digest(path) for path in (paths.TOC, paths.BIBLIOGRAPHY)],
            }

    def stamp(self):
        """Stamp of the last execution; None if there was none."""
        path = stamp_path(self.target)
        if not self.target.exists() or not path.exists():
            return None
        return json.loads(path.read_text(encoding="utf-8"))

    def inputs(self):
        """Return the inputs of the chapter."""
        return {**chapter_inputs(self.source, self.profile, self.seed), **self._summarised}

    def reason_to_execute(self):
        """Reason to execute the chapter again, or None if it is up to date."""
        stamp = self.stamp()
        if stamp is None:
            return "not executed before"
        changed = changes(stamp["inputs"], self.inputs())
        if changed:
            return f"changed since: {', '.join(changed)}"
        if stamp["executed"] != file_digest(self.target):
            return "the executed notebook was edited"
        if self.name in chapters_with_claims() and not rows_path(self.target).exists():
            return "its measurements are missing"
        return None

    def take_prose(self):
        """Put the text of the source into the executed notebook; say whether it was new."""
        executed = nbformat.read(self.target, as_version=4)
        content = as_bytes(with_prose_of(self.source, executed))
        if content == self.target.read_bytes():
            return False
        stamp = {**self.stamp(), "executed": hashlib.sha256(content).hexdigest()}
        write_atomically(self.target, content)
        self._write_stamp(stamp)
        return True

    def finish(self, execution):
        """Write the stamp of an execution, and keep the rows and figures that it made."""
        rows = self.files / "scorecard" / f"{self.name}-{self.profile}.csv"
        if rows.exists():
            write_atomically(rows_path(self.target), rows.read_bytes())
        elif self.name in chapters_with_claims():
            raise ChapterError(
                f"{self.name}: expected card.save() in its last cell; it measured nothing"
            )
        figures = self.files / "figures" / self.name
        if figures.exists():
            shutil.copytree(figures, figures_path(self.target), dirs_exist_ok=True)
        self._write_stamp(
            make_stamp(
                self.inputs(),
                file_digest(self.target),
                execution.seconds,
                self.jobs,
                execution.peak_bytes,
            )
        )
        print(f"{self.name} ({self.profile}): done in {execution.seconds:.1f} s", flush=True)

    def _write_stamp(self, stamp):
        write_atomically(stamp_path(self.target), json.dumps(stamp, indent=2).encode() + b"\n")

    def task(self, folder):
        """What `execute` needs; it reports to a folder of its own."""
        status = Path(folder) / self.name
        status.mkdir()
        self.files = status / "files"
        failed = paths.BUILD / "failed" / f"{self.name}.ipynb"
        return Task(
            self.name, self.source, self.parameters, self.target, failed, paths.NOTEBOOKS, status
        )


def _read_source(chapter):
    return jupytext.read(paths.NOTEBOOKS / f"{chapter}.md")


def _bring_up_to_date(chapters, jobs, force):
    """Execute the chapters that have to be, the longest first, as far as is known."""
    stale = []
    for chapter in chapters:
        reason = "forced to" if force else chapter.reason_to_execute()
        if reason is not None:
            print(f"{chapter.name} ({chapter.profile}): to be executed, {reason}", flush=True)
            stale.append(chapter)
        else:
            said = "new prose" if chapter.take_prose() else "up to date"
            print(f"{chapter.name} ({chapter.profile}): {said}", flush=True)
    stale.sort(key=lambda chapter: -_seconds(chapter))
    with tempfile.TemporaryDirectory(prefix="replicate-") as folder:
        _execute_side_by_side(stale, min(jobs, len(stale)), folder)


def _seconds(chapter):
    """How long the last execution took, or else what the chapter's header expects."""
    stamp = chapter.stamp()
    expected = chapter.source.metadata.get("expected", {}).get("seconds", 0)
    return stamp["seconds"] if stamp else expected


def _execute_side_by_side(chapters, at_once, folder):
    """Execute chapters, several at once, each in a process with its own environment."""
    failures = []

    def finish(chapter, execution):
        try:
            chapter.finish(execution())
        except ChapterError as error:
            print(f"{chapter.name} ({chapter.profile}): failed", flush=True)
            failures.append(str(error))

    running = {}  # chapters and where they report
    if at_once <= 1:
        for chapter in chapters:
            task = chapter.task(folder)
            with Reporter({chapter.name: task.status}):
                finish(chapter, functools.partial(execute, task))
    else:
        context = multiprocessing.get_context("spawn")
        with Reporter(running), concurrent.futures.ProcessPoolExecutor(at_once, context) as pool:
            waiting, futures = list(chapters), {}
            while waiting or futures:
                while waiting and len(futures) < at_once:
                    chapter = waiting.pop(0)
                    task = chapter.task(folder)
                    running[chapter.name] = task.status
                    futures[pool.submit(execute, task)] = chapter
                done, _ = concurrent.futures.wait(futures, return_when="FIRST_COMPLETED")
                for future in done:
                    chapter = futures.pop(future)
                    del running[chapter.name]
                    finish(chapter, future.result)
    if failures:
        raise ChapterError("\n\n".join(failures))


def _digest_of_executed(profiles):
    """Digest of the stamps and scorecard rows of executed chapters."""
    notebooks = [executed_path(chapter, profile) for chapter, profile in profiles.items()]
    paths = [path(notebook) for notebook in notebooks for path in (stamp_path, rows_path)]
    digests = [f"{path.name} {file_digest(path)}" for path in paths if path.exists()]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
