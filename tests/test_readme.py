"""The code and the commands of the README run in the order in which they are shown."""

import re
import shlex
from doctest import DocTestParser
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from clusterwise.cli.app import run

mpl.use("Agg")

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^\$ clusterwise (.*?)(?: +#.*)?$", README, re.MULTILINE)


@pytest.mark.slow
def test_code_runs(tmp_path, monkeypatch):
    """The values of the doctests are tested where they are; here their names are needed."""
    from matplotlib import pyplot as plt

    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        examples = [one.source for one in DocTestParser().get_examples(block)]
        exec("".join(examples) or block, names)
    plt.close("all")
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "again.html"}


def write_files(folder: Path) -> None:
    """Write the files that the commands name."""
    random, corner = np.random.default_rng(0), np.arange(120) % 4
    features = pd.DataFrame(
        np.column_stack([corner // 2, corner % 2]) * 9.0 + random.normal(size=(120, 2)),
        columns=["x", "y"],
    )
    data = features.assign(segment=corner // 2)
    runs = pd.DataFrame({name: np.where(random.random(120) < 0.1, 0, corner) for name in "abcd"})
    soft = pd.DataFrame(random.dirichlet([1, 1], 120), columns=["p_0", "p_1"])
    soft[["q_0", "q_1"]] = random.dirichlet([1, 1], 120)
    year = data[["segment"]].assign(customer_id=range(120))
    for name, frame in {
        "labels": runs[["a", "b"]], "features": features, "2024": year, "2025": year,
        "soft": soft, "data": data, "events": data, "runs": runs,
    }.items():  # fmt: skip
        frame.to_csv(folder / f"{name}.csv", index=False)
    (folder / "runs").mkdir()
    runs[["a", "b"]].to_parquet(folder / "runs" / "1.parquet")
    runs[["a", "b"]].to_csv(folder / "runs" / "1.csv.gz", index=False)
    (folder / "customers").mkdir()
    data.to_parquet(folder / "customers" / "1.parquet")


def test_commands_run(tmp_path, monkeypatch, capsys):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) >= 12
    for command in COMMANDS:
        status = run(shlex.split(command.replace("COMMAND", "compare")))
        assert status == 0, (command, capsys.readouterr().err)
    assert {"labels.csv", "labels.parquet", "consensus.csv", "report.html"} <= {
        x.name for x in tmp_path.iterdir()
    }
