"""Each check of a lemma passes what is true and catches a wrong formula in its place."""

import numpy as np
import pytest

from pareto_book.chapters.chen2024 import lemmas
from pareto_book.chapters.chen2024.evidence import best_time, evidence
from pareto_book.chapters.chen2024.steps import mobai_steps


def rng():
    return np.random.default_rng(1)


def test_lemma_d3():
    assert lemmas.misses_of_lemma_d3(rng(), 5) == 0


def test_a_wrong_cost_fails_lemma_d3():
    def doubled(means, weights):
        return 2 * evidence(means, weights)

    assert lemmas.misses_of_lemma_d3(rng(), 5, doubled) == 5


def test_lemma_f13():
    assert 0.5 < lemmas.worst_of_lemma_f13(rng(), 10) <= 1


def test_too_high_a_time_fails_lemma_f13():
    def too_high(means, eta):
        return (1 + eta) * best_time(means, eta)

    assert lemmas.worst_of_lemma_f13(rng(), 10, too_high) > 1


def test_a_time_that_is_not_a_number_fails_lemma_f13():
    times = iter([1.0, np.nan, 1.0])
    assert not lemmas.worst_of_lemma_f13(rng(), 3, lambda means, eta: next(times)) <= 1


def test_lemma_e2():
    assert lemmas.misses_of_lemma_e2() == 0


def test_a_tail_with_one_term_too_many_fails_lemma_e2():
    assert lemmas.misses_of_lemma_e2(lambda x, n: lemmas.log_tail(x, n + 1)) > 20


def test_lemma_f3_approaches_one():
    small, large = (lemmas.tail_inverse(risk, 20) / risk for risk in (1e2, 1e6))
    assert 1 < large < small


def test_lemma_f4():
    assert lemmas.misses_of_lemma_f4(rng(), 20) == 0


def test_a_product_fails_lemma_f4():
    assert lemmas.misses_of_lemma_f4(rng(), 20, lambda weights: weights.prod()) > 15


def test_lemma_f10():
    assert lemmas.misses_of_lemma_f10(cases=lemmas.LATE_CASES[::7]) == 0


def test_half_the_time_fails_lemma_f10():
    def half(*numbers):
        return lemmas.time_of_lemma_f10(*numbers) / 2

    assert lemmas.misses_of_lemma_f10(half, lemmas.LATE_CASES[::7]) > 0


def test_a_time_that_is_not_a_number_fails_lemma_f10():
    cases = lemmas.LATE_CASES[::7]
    assert lemmas.misses_of_lemma_f10(lambda *numbers: np.nan, cases) == len(cases)


MEANS = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])


@pytest.fixture(scope="module")
def averages():
    return mobai_steps(MEANS, 0.1, 1601).averages


def test_lemma_f8(averages):
    assert lemmas.convergence_exponent(MEANS, averages) < -0.8


def test_averages_that_stay_fail_lemma_f8(averages):
    stuck = np.repeat(averages[:1], len(averages), axis=0)
    assert lemmas.convergence_exponent(MEANS, stuck) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("objectives", [(1, 2), (2, 4)])
def test_the_rank_is_two(objectives):
    misses, cases = lemmas.misses_of_rank_two(rng(), objectives, 5)
    assert misses == 0 < cases


def test_a_pair_of_one_objective_does_not_show_every_wrong_answer():
    def of_the_first_objective(means, answer):
        return lemmas.some_pair_shows_it(means[:, :1], answer[:1])

    misses, _ = lemmas.misses_of_rank_two(rng(), (2, 4), 5, of_the_first_objective)
    assert misses > 0
