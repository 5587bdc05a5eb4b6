"""A table from which a reader chooses."""

from pareto_book.figures.choice_table import choice_table

ROWS = [
    (("front", "yes"), ("pc.A()", "a theorem")),
    (("front", "no"), ("pc.B(x=1 < 2)", "nothing")),
    (("best", "no"), ("pc.C()", "nothing")),
]


def test_a_box_has_every_value_once_and_its_first_answer_and_the_table_all_rows():
    text = choice_table(("you want", "proof"), ("call", "rests on"), ROWS, {"proof": "no"}).data
    assert text.count("<option>front</option>") == text.count("<option>best</option>") == 1
    assert text.count("selected") == text.count("<option selected>no</option>") == 1
    assert text.count("<select>") == 2
    assert text.count("<tr>") == 4
    assert "<code>pc.B(x=1 &lt; 2)</code>" in text
