"""The scores of twelve classifiers on random splits of scikit-learn's digits, measured and kept.

scikit-learn is imported where it is used: the book reads the kept table, and only the command
``python -m pareto_book digits`` measures again.
"""

import datetime
import platform
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_count
from pareto_core.checks.environment import DATA, progress_bar
from pareto_core.instances.datasets import DIGITS_TESTED

CLASSIFIERS = (
    "nearest centroid",
    "naive Bayes",
    "ridge",
    "linear discriminant",
    "logistic regression",
    "5 neighbours",
    "linear support vectors",
    "Gaussian support vectors",
    "decision tree",
    "10 random trees",
    "20 random trees",
    "forest of 10",
)
HEADER = """\
# Digits: scores of 12 classifiers on random splits of the digits that scikit-learn includes.
# Every row is one split of its own: 1078 images to learn from, and {test} to test.
# Columns:
#   classifier: see CLASSIFIERS and _makers in pareto_book/studies/digits_scores.py
#   correct: number of the {test} test images that are classified correctly
#   training_ms: CPU time to fit the classifier, in milliseconds
#   prediction_us: CPU time to classify the test images, in microseconds per image
# CPU times are those of one process with one thread, on a machine that others used at the same
# time. The classifiers were measured in turn, in a new random order for each number of a split.
# Made by: python -m pareto_book digits --splits {splits} --seed {seed}
# With: {versions}
# Images: the test set of Alpaydin & Kaynak 1998, Optical Recognition of Handwritten Digits,
# 10.24432/C50P49; terms in NOTICE.md.
"""


class Score(NamedTuple):
    """The score of one classifier on one split."""

    classifier: str
    correct: int
    training_ms: float
    prediction_us: float


def _makers():
    """Functions that make the classifiers from a seed, in the order of `CLASSIFIERS`."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return (
        lambda seed: NearestCentroid(),
        lambda seed: GaussianNB(),
        lambda seed: RidgeClassifier(),
        lambda seed: LinearDiscriminantAnalysis(),
        lambda seed: LogisticRegression(max_iter=100),
        lambda seed: KNeighborsClassifier(5),
        lambda seed: SVC(kernel="linear"),
        lambda seed: SVC(C=10.0),
        lambda seed: DecisionTreeClassifier(random_state=seed),
        lambda seed: ExtraTreesClassifier(10, random_state=seed),
        lambda seed: ExtraTreesClassifier(20, random_state=seed),
        lambda seed: RandomForestClassifier(10, random_state=seed),
    )


def measure(splits: int, seed: int = 0) -> Iterator[Score]:
    """Measure every classifier on random splits, which no two classifiers share."""
    check_count(splits, "splits")
    check_count(seed, "seed", at_least=0)
    from sklearn.datasets import load_digits
    from threadpoolctl import threadpool_limits

    images, digits = load_digits(return_X_y=True)
    makers = _makers()
    order = np.random.default_rng(seed)
    with threadpool_limits(1):
        for split in range(splits):
            for k in order.permutation(len(makers)):
                own = np.random.SeedSequence(seed, spawn_key=(int(k), split))
                yield Score(CLASSIFIERS[k], *_score(makers[k], images / 16.0, digits, own))


def _score(maker, images, digits, own):
    """Test images classified correctly, and CPU times to learn and to classify; see `Score`."""
    parted = np.random.default_rng(own).permutation(len(digits))
    test, learnt = parted[:DIGITS_TESTED], parted[DIGITS_TESTED:]
    classifier = maker(int(own.generate_state(1)[0]))
    begin = time.process_time()
    classifier.fit(images[learnt], digits[learnt])
    middle = time.process_time()
    found = classifier.predict(images[test])
    end = time.process_time()
    correct = int((found == digits[test]).sum())
    return correct, 1e3 * (middle - begin), 1e6 * (end - middle) / DIGITS_TESTED


def write_scores(splits: int, seed: int) -> None:
    """Measure, and write ``data/digits_scores.csv``; a command of ``python -m pareto_book``."""
    try:
        import sklearn
    except ImportError as error:
        raise ValueError("digits needs scikit-learn: pip install scikit-learn") from error

    versions = (
        f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}, Python "
        f"{platform.python_version()}, {platform.machine()}, {datetime.date.today().isoformat()}"
    )
    number = splits * len(CLASSIFIERS)
    with progress_bar(number, "classifiers on digits") as bar:
        rows = [(each, bar.update())[0] for each in measure(splits, seed)]
    rows.sort(key=lambda each: CLASSIFIERS.index(each.classifier))
    path = DATA / "digits_scores.csv"
    with open(path, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(HEADER.format(test=DIGITS_TESTED, splits=splits, seed=seed, versions=versions))
        stream.write(",".join(Score._fields) + "\n")
        for name, correct, training, prediction in rows:
            stream.write(f"{name},{correct},{training:.4g},{prediction:.4g}\n")
    print(f"{path}: {number} scores")
