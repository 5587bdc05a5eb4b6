"""The recipe "Add a chapter", followed to the letter: its claim is on the scorecard."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from references.claim_files import write_claims

from pareto_book import paths

CHAPTER = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

(chapter:new2026)=
# A new paper

```{code-cell} ipython3
:tags: [parameters]

profile = "fast"
seed = 0
n_jobs = 1
```

## The arms

```{code-cell} ipython3
from pareto_book.claims.card import Scorecard

card = Scorecard("new2026", profile)
checks = card.check("arms", 3)
card.save()
checks
```
"""
CLAIM = {
    "id": "arms",
    "paper": "garivier2016",
    "kind": "number",
    "place": "Table 1",
    "what": "arms",
    "published": "3",
    "criterion": "digits",
    "rests_on": "printed data",
    "verdict": "reproduced",
}


@pytest.fixture
def copy(tmp_path):
    """The repository without its chapters, but with the scorecard."""
    root = tmp_path / "book"
    for name in ("pareto_core", "pareto_lab", "pareto_book", "data", "book"):
        ignored = shutil.ignore_patterns("__pycache__", "_build")
        shutil.copytree(paths.ROOT / name, root / name, ignore=ignored)
    shutil.rmtree(root / "book" / "chapters", ignore_errors=True)
    for name in ("pyproject.toml", "requirements.lock", "_toc.yml"):
        shutil.copy(paths.ROOT / name, root / name)
    (root / "notebooks").mkdir()
    shutil.copy(paths.NOTEBOOKS / "scorecard.md", root / "notebooks")
    shutil.rmtree(root / "data" / "published")
    return root


def replicate(root):
    program = [sys.executable, "-m", "pareto_book.building.replicate", "--jobs", "1"]
    return subprocess.run(
        program,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.slow
def test_a_new_chapter_is_on_the_scorecard(copy):
    (copy / "notebooks" / "new2026.md").write_text(CHAPTER)
    write_claims(copy / "data" / "published" / "new2026.csv", [CLAIM])
    contents = (copy / "_toc.yml").read_text()
    line = "      - file: book/chapters/crepon2024\n"
    new = line.replace("crepon2024", "new2026")
    (copy / "_toc.yml").write_text(contents.replace(line, line + new))
    done = replicate(copy)
    assert done.returncode == 0, done.stderr
    text = (copy / "book" / "chapters" / "scorecard.ipynb").read_text()
    assert re.search(r'tbody id=\\"garivier2016-arms\\"', text)
    assert "new2026.html#garivier2016-arms" in text
