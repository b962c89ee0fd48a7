"""Files as people have them: what each column is taken as, and what the command says about it."""

import csv
import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from clusterwise import adjusted_rand_score, compare
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.read_file import read_file

ROWS = 60


def german(path, encoding="latin-1"):
    """Semicolons, decimal commas, points for thousands and Latin-1."""
    rows = ["Kundennummer;Größe;Umsatz;Seit;PLZ;Straße;Anrede;Aktiv"]
    for i in range(ROWS):
        size = f"{1.5 + i % 7 / 10:.2f}".replace(".", ",") if i % 30 else "k.A."
        spent = f"{(i + 1) * 1005.96:,.2f}".translate(str.maketrans(",.", ".,"))
        since = (date(2023, 12, 1) + timedelta(i)).strftime("%d.%m.%Y")
        street = f"Lange Straße Nummer {i} in Köln"
        rows.append(
            f"K{i:04d};{size};{spent} EUR;{since};{i % 4:05d};{street};"
            f"{['Frau', 'Herr', 'divers'][i % 3]};{['ja', 'nein'][i % 2]}"
        )
    path.write_text("\n".join(rows) + "\n", encoding=encoding)
    return {
        "Kundennummer": "identifier", "Größe": "numeric", "Umsatz": "numeric", "Seit": "date",
        "PLZ": "categorical", "Straße": "text", "Anrede": "categorical", "Aktiv": "boolean",
    }  # fmt: skip


def american(path):
    """Dollars, percentages, month/day/year, and several words for missing."""
    rows = ["order_id,amount,discount,shipped,state,note,constant,empty"]
    for i in range(ROWS):
        amount = f'"${(i + 1) * 321.5:,.2f}"' if i % 20 else "N/A"
        day = date(2024, 1, 1) + timedelta(i)
        rows.append(
            f"{i * 7 + 100},{amount},{i % 9} %,{day.month}/{day.day}/{day.year},"
            f"{['NY', 'CA', 'unknown'][i % 3]},,same,"
        )
    path.write_text("\n".join(rows) + "\n")
    return {
        "order_id": "identifier", "amount": "numeric", "discount": "numeric", "shipped": "date",
        "state": "categorical", "note": "empty", "constant": "constant", "empty": "empty",
    }  # fmt: skip


def dates(path):
    """One moment in four formats."""
    formats = {
        "iso": "%Y-%m-%d",
        "stamp": "%Y-%m-%dT%H:%M:%S",
        "dotted": "%d.%m.%Y",
        "us": "%m/%d/%Y",
        "month": "%m/%Y",
        "Monat": "%m.%Y",
    }
    rows = [",".join([*formats, "dirty"])]
    for i in range(ROWS):
        day = date(2024, 1, 1) + timedelta(i)
        fields = [day.strftime(form) for form in formats.values()]
        rows.append(",".join([*fields, str(i % 11) if i % 15 else "about 5"]))
    path.write_text("\n".join(rows) + "\n")
    return dict.fromkeys(formats, "date") | {"dirty": "numeric"}


@pytest.mark.parametrize(
    ("make", "options"),
    [(german, {"encoding": "latin-1"}), (american, {}), (dates, {})],
)
def test_what_columns_are_taken_as(tmp_path, make, options):
    path = tmp_path / "messy.csv"
    expected = make(path)
    table = read_file(str(path), FileOptions(**options))
    assert {name: column.typed.type for name, column in table.columns.items()} == expected


def test_dates_in_four_formats_are_the_same_days(tmp_path):
    path = tmp_path / "dates.csv"
    dates(path)
    columns = read_file(str(path), FileOptions()).columns
    days = {
        name: columns[name].typed.numbers[columns[name].codes].tolist()
        for name in ("iso", "stamp", "dotted", "us")
    }
    first = (date(2024, 1, 1) - date(1970, 1, 1)).days
    assert days == {name: [first + i for i in range(ROWS)] for name in days}


def test_profile_says_what_did_not_fit(run, tmp_path):
    path = tmp_path / "dates.csv"
    dates(path)
    path.write_text(
        "\n".join(
            f"{line},{i % 2 if i else 'k'}" for i, line in enumerate(path.read_text().splitlines())
        )
    )
    result = run("profile", path, "-l", "k", "-f", "csv")
    assert result.status == 0
    assert (
        'clusterwise: dirty: 56 of 60 values are numbers; the other 4 ("about 5") are taken as '
        "missing. Use --as dirty=categorical to keep them as categories.\n"
    ) in result.err
    assert 'us: dates (month/day/year) such as "01/01/2024" are read as days.' in result.err
    kept = run("profile", path, "-l", "k", "-f", "csv", "--as", "dirty=categorical")
    assert ",dirty,about 5," in kept.out
    assert ",dirty,about 5," not in result.out


def test_again_uses_the_numbers_and_carries_the_identifier(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    german(Path("kunden.csv"))
    result = run(
        "again", "kunden.csv", "--encoding", "latin-1", "--given", "Anrede", "-o", "labels.csv",
        "-f", "json", "--method", "coala",
    )  # fmt: skip
    assert result.status == 0, result.err
    assert json.loads(result.out)["features"] == ["Größe", "Umsatz", "Seit", "PLZ", "Aktiv"]
    with Path("labels.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["Kundennummer", "Anrede", "alternative_1"]
    assert [row["Kundennummer"] for row in rows] == [f"K{i:04d}" for i in range(ROWS)]
    assert "left out Kundennummer: every value is different, as in an identifier" in result.err
    assert "left out Straße: too many different values for categories, as in text" in result.err


def test_a_date_column_does_not_become_categories(run, tmp_path):
    path = tmp_path / "many.csv"
    days = [date(2000, 1, 1) + timedelta(i % 1500) for i in range(3000)]
    rows = (f"{i % 2},{i % 3}.5,{day}" for i, day in enumerate(days))
    path.write_text("k,x,day\n" + "\n".join(rows))
    result = run("profile", path, "-l", "k", "-f", "csv", "--bins", "5")
    assert len([line for line in result.out.splitlines() if ",day," in line]) == 2 * (
        5 + 1
    )  # and missing


def test_compare_takes_no_dates_counts_and_measurements_for_clusterings(run, tmp_path):
    path = tmp_path / "customers.csv"
    rows = [
        f"{i},{i % 3},{(i // 2) % 4},{20 + i % 40},{i % 6},{2000 + i % 15},"
        f"2024-01-{i % 9 + 1:02d},{i % 7}.5,{'ab'[i % 2]}"
        for i in range(90)
    ]
    path.write_text("id,kmeans,run2,age,n_orders,since,day,price,sex\n" + "\n".join(rows))
    result = run("compare", path, "-f", "json")
    assert json.loads(result.out)["names"] == ["kmeans", "run2", "sex"]
    assert "not taken as labels: age, n_orders, since (counts or measurements)." in result.err
    assert "not taken as labels: day (dates)." in result.err
    assert "taken as labels: kmeans, run2 and sex; use --column to choose others." in result.err
    named = run("compare", path, "-c", "kmeans", "-c", "n_orders", "-f", "json")
    assert json.loads(named.out)["b"] == "n_orders"
    assert named.err == ""


def test_missing_labels_are_dropped_per_pair(run, tmp_path):
    columns = {
        "a": [0, 0, 0, 1, 1, 1, 0, 1],
        "b": [0, 0, 1, 1, 1, 1, 0, None],
        "c": [None, 1, 0, 1, 0, 1, 0, 1],
    }
    path = tmp_path / "runs.csv"
    rows = zip(*columns.values(), strict=True)
    lines = [",".join("" if one is None else str(one) for one in row) for row in rows]
    path.write_text("a,b,c\n" + "\n".join(lines))
    result = run("compare", path, "--missing", "drop", "-f", "csv")
    found = {tuple(row[:2]): float(row[3]) for row in list(csv.reader(result.out.splitlines()))[1:]}
    for (a, b), value in found.items():
        both = [
            (x, y)
            for x, y in zip(columns[a], columns[b], strict=True)
            if x is not None and y is not None
        ]
        assert value == pytest.approx(adjusted_rand_score(*zip(*both, strict=True)))
    assert "2 of 8 objects lack a label in some column; each pair is compared on" in result.err
    two = run("compare", path, "-c", "a", "-c", "b", "--missing", "drop", "-f", "json")
    assert json.loads(two.out)["objects"] == 7


def test_a_word_for_missing_can_be_kept_as_a_label(run, fails, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\nx,0\nunknown,0\nx,1\nunknown,1\n")
    line = fails("compare", path)
    assert '(2 of 4 objects; "unknown" means missing unless --as a=categorical)' in line
    kept = run("compare", path, "--as", "a=categorical", "-f", "json")
    labels = compare(["x", "unknown", "x", "unknown"], [0, 0, 1, 1])
    assert json.loads(kept.out)["measures"] == pytest.approx(labels.to_dict()["measures"])


def test_null_adds_a_word(run, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(
        "k,x\n" + "\n".join(f"{i % 2},{'gone' if i % 3 == 0 else i % 5}" for i in range(30))
    )
    assert ",x,gone," in run("profile", path, "-l", "k", "-f", "csv").out
    result = run("profile", path, "-l", "k", "-f", "csv", "--null", "gone")
    assert ",x,gone," not in result.out
    assert (
        'x: 20 of 30 values are numbers; the other 10 ("gone") are taken as missing.' in result.err
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("x=number", "--as x=number has an unknown type; did you mean numeric?"),
        ("x", "--as x is not column=type; use one such as --as age=numeric."),
        ("xx=numeric", "there is no column 'xx' for --as; did you mean x?"),
        ("name=numeric", "no value of the column is a number"),
    ],
)
def test_refusals_of_as(fails, tmp_path, option, message):
    path = tmp_path / "data.csv"
    path.write_text("k,x,name\n0,1,u\n1,5,v\n0,2,u\n")
    assert message in fails("profile", path, "-l", "k", "--as", option)
