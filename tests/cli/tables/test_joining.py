"""Joining several files by key or by position, and the names of their columns."""

import json

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return name

    return write_file


@pytest.fixture
def years(write):
    return (
        write("2024.csv", "id,segment\n1,gold\n2,gold\n3,basic\n4,basic\n9,gold\n"),
        write("2025.csv", "segment,id\nA,4\nB,3\nA,1\nB,2\n"),
    )


def as_json(result):
    assert result.status == 0, result.err
    return json.loads(result.out)


def test_rows_are_matched_by_key_whatever_their_order(run, years):
    result = run("compare", *years, "--key", "id", "-f", "json")
    found = as_json(result)
    assert (found["a"], found["b"], found["objects"]) == ("2024.segment", "2025.segment", 4)
    # gold: 1 is in A, 2 in B; basic: 3 in B, 4 in A.
    assert found["measures"]["rand_score"] == pytest.approx(1 / 3)
    assert result.err == (
        "clusterwise: 4 objects matched by id; "
        "not matched: 1 of 5 in 2024.csv, 0 of 4 in 2025.csv.\n"
    )


def test_keys_match_across_formats_and_spellings(run, write):
    a = write("a.csv", "id,x\n1,u\n2,u\nz9,v\n")
    b = write("b.jsonl", '{"id": 2.0, "y": 0}\n{"id": 1, "y": 0}\n{"id": "z9", "y": 1}\n')
    found = as_json(run("compare", a, b, "--key", "id", "-f", "json"))
    assert (found["objects"], found["measures"]["rand_score"]) == (3, 1.0)


def test_three_files(run, years, write):
    third = write("third.tsv", "id\tleiden\n4\t0\n2\t1\n1\t1\n7\t1\n")
    found = as_json(run("compare", *years, third, "--key", "id", "-f", "json"))
    assert found["names"] == ["2024.segment", "2025.segment", "leiden"]
    assert found["objects"] == 3


def test_the_columns_of_several_files_can_be_named_either_way(run, years, write):
    third = write("third.csv", "id,segment\n1,x\n2,x\n3,y\n4,y\n")
    both = as_json(run("compare", *years, "-k", "id", "-c", "segment", "-f", "json"))
    assert (both["a"], both["b"]) == ("2024.segment", "2025.segment")
    some = as_json(
        run(
            "compare",
            *years,
            third,
            "-k",
            "id",
            "--columns",
            "2024.segment,third.segment",
            "-fjson",
        )
    )
    assert (some["a"], some["b"]) == ("2024.segment", "third.segment")


def test_files_of_the_same_name_are_named_by_folder(run, write):
    old = write("old/labels.csv", "s\nx\nx\ny\n")
    new = write("new/labels.csv", "s\nx\ny\ny\n")
    found = as_json(run("compare", old, new, "-f", "json"))
    assert (found["a"], found["b"]) == ("old/labels.s", "new/labels.s")


def test_files_that_differ_by_ending_only(run, write):
    a, b = write("labels.csv", "s\nx\nx\ny\n"), write("labels.tsv", "s\nx\ny\ny\n")
    found = as_json(run("compare", a, b, "-f", "json"))
    assert (found["a"], found["b"]) == ("labels.csv.s", "labels.tsv.s")


def test_without_a_key_rows_are_compared_by_position(run, write):
    a, b = write("a.csv", "x\n1\n1\n2\n"), write("b.csv", "y\n1\n2\n2\n")
    assert as_json(run("compare", a, b, "-f", "json"))["measures"]["clustering_error"] == (
        pytest.approx(1 / 3)
    )


def test_ids_in_another_order_are_not_compared_by_position_in_silence(fails, run, write):
    a = write("a.csv", "id,x\n1,u\n2,u\n3,v\n")
    b = write("b.csv", "id,y\n1,u\n3,u\n2,v\n")
    line = fails("compare", a, b)
    assert "id is '2' in one and '3' in the other (line 3); use --key id" in line
    result = run("compare", a, b, "-c", "x", "-c", "y")
    assert result.status == 0
    assert result.err == (
        "clusterwise: the rows of the files are matched by position; use --key id to match them by "
        "it.\n"
    )


def test_files_of_different_objects_are_said_to_be_so(fails, write):
    a = write("a.csv", "id,x\n1,u\n2,u\n3,v\n")
    b = write("b.csv", "id,y\n4,u\n5,u\n6,v\n")
    line = fails("compare", a, b)
    assert "have no id in common, so their rows are not the same objects" in line
    for one in (line, fails("compare", a, b, "--key", "id")):
        assert "use clusterwise profile --different-objects for clusterings of" in one


def test_the_same_ids_in_the_same_order_are_fine(run, write):
    a = write("a.csv", "id,x\n1,u\n2,u\n3,v\n")
    b = write("b.csv", "id,y\n1,u\n2,u\n3,v\n")
    result = run("compare", a, b, "-m", "rand_score")
    assert result.status == 0
    assert "not taken as labels: a.id, b.id (every value is different" in result.err


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (
            ["x\n1\n2\n", "y\n1\n"],
            [],
            "different numbers of rows (a.csv has 2, b.csv has 1); use --key",
        ),
        (["k,x\n1,2\n", "y\n1\n"], ["-k", "k"], "b.csv has no column 'k' for --key; it has y."),
        (
            ["k,x\n1,2\n", "k,y\n3,1\n"],
            ["-k", "k"],
            "a.csv and b.csv have no value of 'k' in common",
        ),
        (
            ["k,x\n1,2\n", "k,y\n1,0\n5,1\n\n5.0,2\n"],
            ["-k", "k"],
            "b.csv has the k '5' twice, on line 3 and line 5",
        ),
        (["k,x\n1,2\n,3\n", "k,y\n1,1\n"], ["-k", "k"], "a.csv has no k on line 3 (1 of 2 rows)"),
        (["a,b.a,x\n1,1,2\n", "a,y\n1,1\n"], [], "two columns would be called 'b.a'"),
    ],
)
def test_what_cannot_be_joined(fails, write, texts, options, message):
    files = [write(f"{name}.csv", text) for name, text in zip("ab", texts, strict=True)]
    assert message in fails("compare", *files, *options)


def test_the_key_of_a_single_file_is_not_a_label(run, fails, write):
    path = write("a.csv", "k,x,y\n1,u,u\n2,u,u\n3,v,v\n")
    result = run("compare", path, "--key", "k", "-f", "json")
    assert as_json(result)["measures"]["rand_score"] == 1
    assert result.err == ""
    assert "has the x 'u' twice" in fails("compare", path, "--key", "x")


def test_a_weight_in_several_files_needs_the_name_of_the_file(run, fails, write):
    a, b = write("a.csv", "x,w\nu,1\nu,2\nv,1\n"), write("b.csv", "y,w\nu,1\nv,1\nv,1\n")
    columns = ["-c", "x", "-c", "y"]
    line = fails("compare", a, b, *columns, "--weight", "w")
    assert "--weight w is in several files; use a.w or b.w" in line
    found = as_json(run("compare", a, b, *columns, "--weight", "a.w", "-f", "json"))
    assert found["objects"] == 4


def test_too_few_labels_list_the_columns_of_every_file(fails, write):
    a, b = write("a.csv", "i,x\n1,u\n2,u\n"), write("b.csv", "y\n0.5\n0.5\n")
    assert "there is only x (the columns are i, x of a.csv and y of b.csv)" in fails(
        "compare", a, b
    )


def test_a_file_is_given_once(fails, write):
    a = write("a.csv", "x\n1\n")
    assert "a.csv is named 2 times" in fails("compare", a, a)


def test_missing_labels_name_the_line_of_their_own_file(fails, write):
    a = write("a.csv", "k,x\n1,u\n2,u\n3,v\n")
    b = write("b.csv", "k,y\n3,u\n2,\n1,v\n")
    assert "b.csv has no value in column 'y' on line 3 (1 of 3" in fails("compare", a, b, "-k", "k")


@pytest.mark.parametrize("second", ["id,x\n3,1\n4,2\n", "id,x\n3,1\n"])
def test_parts_of_one_table_are_recognised(fails, write, second):
    files = [write("p0.csv", "id,x\n1,a\n2,b\n"), write("p1.csv", second)]
    hint = ", or a folder or a quoted pattern to read parts of one table."
    assert hint in fails("compare", *files)
    other = write("p2.csv", second.replace("x", "y"))
    assert "parts of one table" not in fails("compare", files[0], other)


def test_of_many_columns_the_first_are_listed(fails, write):
    names = [f"c{i}" for i in range(25)]
    path = write("wide.csv", f"{','.join(names)}\n{','.join('01' * 13)[:49]}\n")
    error = fails("compare", path, "--column", "zzz")
    assert f"the columns are {', '.join(names[:20])} and 5 more." in error
