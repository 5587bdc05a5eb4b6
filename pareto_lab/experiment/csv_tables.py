"""Tables in CSV files, with commas between the columns and decimal points."""

import csv


def read_table(path: str) -> tuple[list[str], list[list[str]]]:
    """The header and the other rows of a file, without white space around the cells."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a CSV file in UTF-8: {error}") from error
    if len(lines) < 2:
        raise ValueError(f"{path}: expected a line of column names, and a line for each row below")
    (_, header), *lines = lines
    if ";" in header[0]:
        raise ValueError(
            f"{path} has semicolons between its columns; expected commas and decimal points, or "
            "the data frame of pandas.read_csv(path, sep=';', decimal=',')"
        )
    for number, row in lines:
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {number} has {len(row)} columns; expected {len(header)}: "
                f"{', '.join(header)} (a missing value is an empty cell)"
            )
    return header, [row for _, row in lines]
