"""Execute the chapters of the book, and only those whose inputs have changed.

Run it as ``python -m pareto_book.building.replicate [CHAPTER ...]``. A chapter is a MyST
notebook in ``notebooks/``. It is executed from top to bottom by papermill, side by side with
others, and the result becomes ``_build/executed/<profile>/<chapter>.ipynb``, with its rows, its
figures, and a stamp that says what it was made from. Prose is not an input: it is put into the
executed notebook without executing it again. The book is built from the copy in
``book/chapters/``.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import multiprocessing
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import jupytext
import matplotlib.font_manager  # noqa: F401  (makes its font cache here, not in a chapter)
import nbformat

from pareto_book import paths
from pareto_book.building.execution import ChapterError, Task, as_bytes, execute, with_prose_of
from pareto_book.building.kernels import ONE_THREAD
from pareto_book.records.stamps import (
    PROFILES,
    executed_path,
    figures_path,
    make_stamp,
    published_profile,
    rows_path,
    stamp_path,
    write_atomically,
)
from pareto_core.checks.arguments import check_choice, check_count
from pareto_core.checks.environment import available_cores

PACKAGES = ("pareto_core", "pareto_lab", "pareto_book")
NOT_EXECUTED = "This chapter has not been executed yet. `make book` does it."


def main(arguments=None):
    """Execute what has to be executed and return the exit status of the process."""
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
    try:
        replicate(**vars(parser.parse_args(arguments)))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def replicate(
    chapters: Sequence[str] = (),
    profile: str = "fast",
    jobs: int = 1,
    seed: int = 0,
    force: bool = False,
    publish: bool = True,
) -> None:
    """Execute chapters, those that summarise the others last, and hand them to the book."""
    known = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
    for chapter in chapters:
        check_choice(chapter, "chapter", known)
    check_choice(profile, "profile", PROFILES)
    check_count(jobs, "jobs")
    check_count(seed, "seed", at_least=0)
    asked = list(chapters or known)
    sources = {chapter: jupytext.read(paths.NOTEBOOKS / f"{chapter}.md") for chapter in known}
    summaries = [chapter for chapter in known if "summary" in sources[chapter].metadata]
    profiles = {  # of the executions that the summaries read: these, or copies in the book
        chapter: profile if chapter in asked or not publish else published_profile(chapter)
        for chapter in known
        if chapter not in summaries
    }
    first = [chapter for chapter in asked if chapter not in summaries]
    last = [chapter for chapter in summaries if publish or chapter in asked]
    missing = [chapter for chapter, found in profiles.items() if found is None]
    if missing and (named := sorted(set(summaries).intersection(chapters))):
        raise ValueError(
            f"chapter = {named[0]!r} needs {', '.join(missing)}; expected them executed before"
        )
    done = [_Chapter(each, sources[each], profile, seed, jobs) for each in first]
    _bring_up_to_date(done, jobs, force)
    if not missing:
        pages = [_Chapter(each, sources[each], profile, seed, jobs, profiles) for each in last]
        _bring_up_to_date(pages, jobs, force)
        done += pages
    if publish:
        for chapter in done:
            for path in (chapter.target, stamp_path(chapter.target)):
                write_atomically(paths.CHAPTERS / path.name, path.read_bytes())
        _fill_gaps(sources)


def _fill_gaps(sources):
    """Write a placeholder page for each chapter that the book does not have."""
    missing = [chapter for chapter in sources if published_profile(chapter) is None]
    for chapter in missing:
        text = next(c.source for c in sources[chapter].cells if c.cell_type == "markdown")
        head = text[: text.index("\n", text.index("# "))]  # with the label above the title
        cell = nbformat.v4.new_markdown_cell(f"{head}\n\n{NOT_EXECUTED}")
        notebook = nbformat.v4.new_notebook(cells=[cell])
        write_atomically(paths.CHAPTERS / f"{chapter}.ipynb", as_bytes(notebook))
    if missing:
        print(f"not executed, the book has no more than their titles: {', '.join(missing)}")


class _Chapter:
    """A chapter, how it is to be executed, and what is there already."""

    def __init__(self, name, source, profile, seed, jobs, profiles=None):
        self.name, self.source, self.profile, self.jobs = name, source, profile, jobs
        self.target = executed_path(name, profile)
        self.parameters = {"profile": profile, "seed": seed, "n_jobs": jobs}
        if profiles is not None:  # the chapter summarises the others
            self.parameters["profiles"] = profiles
        self.inputs = self._inputs()  # as they are before it is executed

    def _inputs(self):
        """All that the chapter is made from, by names for messages."""
        code = "\n\n".join(cell.source for cell in self.source.cells if cell.cell_type == "code")
        return {
            "its code": hashlib.sha256(code.encode()).hexdigest(),
            "the packages": _digest(self._modules()),
            "data": _digest(path for path in paths.DATA.rglob("*.*") if self._reads(path)),
            "the other chapters": _digest(self._summarised()),
            "requirements.lock": _digest([paths.LOCK]),
            "profile": self.profile,
            "seed": self.parameters["seed"],
            "Python": ".".join(platform.python_version_tuple()[:2]),
        }

    def _modules(self):
        """Files of the packages, without what executes chapters and without other chapters'."""
        for package in PACKAGES:
            for path in (paths.ROOT / package).rglob("*.py"):
                _, room, *rest = path.relative_to(paths.ROOT).parts
                is_of_another = room == "chapters" and not rest[0].startswith(self.name)
                if not is_of_another and room != "building":
                    yield path

    def _reads(self, path):
        """Whether a file of ``data/`` may be read: what papers print, only by their chapters."""
        is_printed = path.parent == paths.DATA / "published" and path.stem != self.name
        is_about_all = path.name in ("figures.csv", "seeds.csv")
        return path.is_file() and (
            "profiles" in self.parameters or not (is_printed or is_about_all)
        )

    def _summarised(self):
        """Stamps and rows of the chapters that this one summarises, and the pages' order."""
        executed = [executed_path(*each) for each in self.parameters.get("profiles", {}).items()]
        found = [path(each) for each in executed for path in (stamp_path, rows_path)]
        return [*found, paths.TOC, paths.BIBLIOGRAPHY] if found else []

    def stamp(self):
        """Stamp of the last execution; None if there was none."""
        path = stamp_path(self.target)
        if not self.target.exists() or not path.exists():
            return None
        return json.loads(path.read_text(encoding="utf-8"))

    def reason_to_execute(self):
        """Reason to execute the chapter again, or None if it is up to date."""
        stamp = self.stamp()
        if stamp is None:
            return "not executed before"
        before = stamp["inputs"]
        if changed := [name for name, now in self.inputs.items() if before.get(name) != now]:
            return f"changed since: {', '.join(changed)}"
        if stamp["executed"] != _digest([self.target]):
            return "the executed notebook was edited"
        if "card.save()" in str(self.source) and not rows_path(self.target).exists():
            return "its measurements are missing"
        return None

    def take_prose(self):
        """Put the text of the source into the executed notebook; say whether it was new."""
        executed = nbformat.read(self.target, as_version=4)
        content = as_bytes(with_prose_of(self.source, executed))
        if content == self.target.read_bytes():
            return False
        write_atomically(self.target, content)
        self._write_stamp(self.stamp() | {"executed": _digest([self.target])})
        return True

    def task(self):
        """What `execute` needs."""
        failed = paths.BUILD / "failed" / f"{self.name}.ipynb"
        return Task(self.name, self.source, self.parameters, self.target, failed, paths.NOTEBOOKS)

    def finish(self, seconds, files):
        """Keep the rows and figures of an execution, and write its stamp."""
        rows = files / "scorecard" / f"{self.name}-{self.profile}.csv"
        if rows.exists():
            write_atomically(rows_path(self.target), rows.read_bytes())
        figures = files / "figures" / self.name
        if figures.exists():
            shutil.copytree(figures, figures_path(self.target), dirs_exist_ok=True)
        digest = _digest([self.target])
        self._write_stamp(make_stamp(self.inputs, digest, seconds, self.jobs))
        print(f"{self.name} ({self.profile}): done in {seconds:.1f} s", flush=True)

    def _write_stamp(self, stamp):
        write_atomically(stamp_path(self.target), json.dumps(stamp, indent=2).encode() + b"\n")

    def seconds(self):
        """How long the last execution took, or else what the chapter's header expects."""
        stamp = self.stamp()
        expected = self.source.metadata.get("expected", {}).get("seconds", 0)
        return stamp["seconds"] if stamp else expected


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
    if stale:
        stale.sort(key=lambda chapter: -chapter.seconds())
        _execute_side_by_side(stale, jobs)


def _execute_side_by_side(chapters, jobs):
    """Execute chapters, several at once; one that fails does not stop the others."""
    failures = []
    context = multiprocessing.get_context("spawn")
    with (
        _files_folder() as files,
        concurrent.futures.ProcessPoolExecutor(min(jobs, len(chapters)), context) as pool,
    ):
        futures = {pool.submit(execute, each.task()): each for each in chapters}
        for future in concurrent.futures.as_completed(futures):
            chapter = futures[future]
            try:
                chapter.finish(future.result(), files)
            except ChapterError as error:
                print(f"{chapter.name} ({chapter.profile}): failed", flush=True)
                failures.append(str(error))
    if failures:
        raise ChapterError("\n\n".join(failures))


@contextlib.contextmanager
def _files_folder():
    """Folder into which chapters write their files, and an environment that says so."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="replicate-") as folder:
        os.environ.update(ONE_THREAD, PARETO_BOOK_FILES=folder)
        try:
            yield Path(folder)
        finally:
            os.environ.clear()
            os.environ.update(before)


def _digest(files):
    """SHA-256 of files, with their names; a file that does not exist counts as empty."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.name}\0".encode())
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
