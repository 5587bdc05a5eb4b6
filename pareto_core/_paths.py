"""Where the repository keeps what the package reads and writes."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
PUBLISHED = DATA / "published"
BUILD = ROOT / "_build"
FIGURES = BUILD / "figures"
SCORECARDS = BUILD / "scorecard"
