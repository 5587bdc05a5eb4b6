"""Samples that are told again: known by their identifiers, or refused because of their values."""

import pytest
from references.sessions import CHEAP, told_of

import pareto_lab as lab

SHEET = {
    "arm": ["A", "B", "A", "C"],
    "gain": [1.0, 2.0, 1.0, 0.5],
    "tube": ["t1", "t2", "t3", "t4"],
}


def session_of():
    return lab.Session(CHEAP, arms=["A", "B", "C"], objectives=["gain"], standard_deviation=1.0)


def rows(sheet, *numbers):
    return {name: [column[k] for k in numbers] for name, column in sheet.items()}


def test_whole_numbers_that_a_file_writes_with_a_point_are_the_same():
    session = session_of()
    assert session.tell_all(SHEET | {"tube": [7.0, 8.0, 9.0, 10.0]}, id="tube") == (4, 0)
    assert session.tell_all(SHEET | {"tube": ["7.0", "8", 9, "10.0"]}, id="tube") == (0, 4)


def test_a_growing_sheet_counts_once():
    session, once = session_of(), session_of()
    assert session.tell_all(rows(SHEET, 0, 1, 0), id="tube") == (2, 1)
    assert session.tell_all(rows(SHEET, 0, 1, 2), id="tube") == (1, 2)
    assert session.tell_all(SHEET, id="tube") == (1, 3)
    assert session.tell_all(SHEET, id="tube") == (0, 4)
    once.tell_all(SHEET)
    assert told_of(session) == told_of(once) == [[[1.0], [1.0]], [[2.0]], [[0.5]]]


def test_a_sheet_without_identifiers_is_refused_the_second_time():
    session = session_of()
    session.tell_all(SHEET)  # equal rows in one table are two samples
    before = told_of(session)
    longer = {"arm": [*SHEET["arm"], "C"], "gain": [*SHEET["gain"], 0.75]}
    with pytest.raises(ValueError, match=r"4 of 5 rows .*row 1, row 2, row 3, row 4; ") as caught:
        session.tell_all(longer)
    for way_out in ("id='COLUMN'", "without the rows told before", "repeat=True"):
        assert way_out in str(caught.value)
    assert told_of(session) == before
    assert session.tell_all(longer, repeat=True) == (5, 0)
    assert sum(map(len, told_of(session))) == 9


def test_late_identifiers_do_not_hide_earlier_rows():
    session = session_of()
    session.tell_all(rows(SHEET, 0))
    with pytest.raises(ValueError, match=r"2 of 4 rows .* told before, .*row 1, row 3"):
        session.tell_all(SHEET, id="tube")
    session.tell_all(rows(SHEET, 1), id="tube")
    again = {"arm": ["B"], "gain": [2.0], "tube": ["t9"]}
    assert session.tell_all(again, id="tube") == (1, 0)  # a different sample with the same values
    with pytest.raises(ValueError, match="1 of 1 rows"):
        session.tell_all(rows(SHEET, 1))  # without an identifier it could be either


@pytest.mark.parametrize(
    "column", [{"arm": ["B"], "gain": [1.0]}, {"arm": ["A"], "gain": [1.5]}], ids=["arm", "gain"]
)
def test_an_identifier_with_different_values_is_refused_by_name(column):
    session = session_of()
    session.tell_all(rows(SHEET, 0), id="tube")
    (arm,), (gain,) = column["arm"], column["gain"]
    message = rf"row 2: sample 't1' is arm {arm}, reward \[{gain}\], .* arm A, reward \[1.0\]"
    sheet = {name: [SHEET[name][1], *column.get(name, ["t1"])] for name in SHEET}
    with pytest.raises(ValueError, match=message):
        session.tell_all(sheet, id="tube", repeat=True)
    assert told_of(session) == [[[1.0]], [], []]
    session.tell_all(rows(SHEET, 1), id="tube")  # its identifier was not recorded either


def test_one_sample_with_an_identifier():
    session = session_of()
    arm = session.ask()
    session.tell(arm, [1.0], id=12)
    session.tell(arm, [1.0], id="12")  # skipped, though the arm is not asked for
    assert told_of(session) == [[[1.0]], [], []]
    with pytest.raises(ValueError, match=r"sample '12' is arm A, reward \[2.0\], but was told"):
        session.tell(arm, [2.0], id="12")
    assert session.tell_all({"arm": ["A"], "gain": [1.0], "tube": [12]}, id="tube") == (0, 1)
    assert session.tell_all({**SHEET, "tube": [12.0, 8.0, 9.0, 10.0]}, id="tube") == (3, 1)
    assert list(session._state.identified) == ["12", "8", "9", "10"]


def test_a_withdrawn_sample_is_not_counted_again():
    session = session_of()
    session.tell_all(SHEET, id="tube")
    session.withdraw("B", [2.0], reason="mislabelled")
    session.withdraw("C", [0.5], instead=[0.25])
    session.withdraw("C", [0.25], instead=[0.125])
    told = told_of(session)
    assert session.tell_all(SHEET, id="tube") == (0, 4)  # the sheet as it was
    corrected = {**SHEET, "gain": [1.0, 2.0, 1.0, 0.125]}
    assert session.tell_all(corrected, id="tube") == (0, 4)  # and corrected
    assert told_of(session) == told
    with pytest.raises(ValueError, match="sample 't4'"):
        session.tell_all({**SHEET, "gain": [1.0, 2.0, 1.0, 0.75]}, id="tube")
    for sheet in (SHEET, corrected):
        with pytest.raises(ValueError, match="4 of 4 rows"):
            session.tell_all({name: sheet[name] for name in ("arm", "gain")})


@pytest.mark.parametrize(("arm", "gain"), [("B", 1.0), ("A", 1.75)])
def test_a_withdrawn_sample_may_be_told_again_with_different_values(arm, gain):
    session = session_of()
    session.tell_all(rows(SHEET, 0, 1), id="tube")
    session.withdraw("A", [1.0], reason="a mislabelled tube")
    assert session.tell_all(rows(SHEET, 0, 1), id="tube") == (0, 2)  # withdrawn, and the same
    sheet = {**SHEET, "arm": [arm, "B", "A", "C"], "gain": [gain, 2.0, 1.0, 0.5]}
    assert session.tell_all(sheet, id="tube") == (3, 1)
    told = told_of(session)
    assert [gain] in told[session.design.find(arm)]
    assert session.tell_all(sheet, id="tube") == (0, 4)  # told again
    assert session.tell_all(rows(SHEET, 0, 1), id="tube") == (0, 2)  # an old sheet
    assert told_of(session) == told
    assert session._state.unreplaced() == []
