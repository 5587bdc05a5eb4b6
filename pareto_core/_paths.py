"""Where the package finds what it reads, and where it puts what it makes.

In the repository the data lie beside the package, and what is made goes to ``_build/`` there.
An installed package has the data inside it. Nothing is ever written to that folder: what is made
goes to ``_build/`` in the folder that the program works in, and chapters are looked for there.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
IS_INSTALLED = (PACKAGE / "data").is_dir()
ROOT = Path() if IS_INSTALLED else PACKAGE.parent
DATA = PACKAGE / "data" if IS_INSTALLED else ROOT / "data"
PUBLISHED = DATA / "published"
BUILD = ROOT / "_build"
FIGURES = BUILD / "figures"
SCORECARDS = BUILD / "scorecard"
