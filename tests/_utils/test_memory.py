"""The memory of the machine, and tables that do not fit into it."""

import os

import numpy as np
import pytest

import clusterwise as cw
from clusterwise._utils import memory
from clusterwise._utils.errors import InputError
from clusterwise.inputs.distances import read_distances
from clusterwise.measures.quality import quality_score


@pytest.fixture
def small_machine(monkeypatch):
    """A machine with 160,000 bytes of memory: a table of 141 objects, or of 200 in 32 bits."""
    monkeypatch.setattr(os, "sysconf", lambda name: 400)
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", ())


def test_the_memory_is_that_of_the_machine_or_less_in_a_container(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}.__getitem__)
    first, second = tmp_path / "memory.max", tmp_path / "limit_in_bytes"
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", (str(first), str(second)))
    assert memory.machine_memory() == 4_096_000
    first.write_text("max\n")
    assert memory.machine_memory() == 4_096_000
    first.write_text("1000000\n")
    assert memory.machine_memory() == 1_000_000
    second.write_text("9223372036854771712\n")
    assert memory.machine_memory() == 1_000_000


def unknown(name):
    raise ValueError("unrecognized configuration name")


def test_tables_fail_to_be_allocated_where_the_memory_is_not_known(monkeypatch):
    monkeypatch.setattr(os, "sysconf", unknown)
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", ())
    assert memory.machine_memory() is None
    memory.check_table(2**28, "use a sample")
    words = r"^the distances of 268435456 objects need 5.37e\+08 GiB, more than .*; use a sample.$"
    with pytest.raises(InputError, match=words):
        memory.allocate_table(2**28, np.float64, "use a sample")


def test_tables_at_exactly_the_memory(small_machine):
    assert memory.allocate_table(141, np.float64, "stop").shape == (141, 141)
    memory.check_table(100, "stop", tables=2)
    for n, options in ((142, {}), (101, {"tables": 2}), (201, {"dtype": "float32"})):
        with pytest.raises(InputError, match=f"the distances of {n} objects need .* GiB, .*; stop"):
            memory.check_table(n, "stop", **options)
    assert memory.allocate_table(200, "float32", "stop").dtype == np.float32


def test_coala_names_prototypes_before_it_allocates(small_machine):
    X, y = np.arange(300.0)[:, None], np.arange(300) % 2
    words = "objects need 0.000671 GiB, .* memory; use prototypes, such as prototypes=1000, or a sa"
    with pytest.raises(InputError, match=words):
        cw.COALA().fit(X, y)
    with pytest.raises(InputError, match=words):
        cw.COALA(random_state=0).fit(X)
    assert cw.COALA(prototypes=20, random_state=0).fit(X, y).labels_.size == 300
    half = r"the distances of 201 objects need 0.000151 GiB"
    with pytest.raises(InputError, match=half):
        cw.COALA(dtype="float32").fit(X[:201], y[:201])
    for metric in ("cityblock", "gower"):
        with pytest.raises(InputError, match="machine's memory; use a sample"):
            cw.COALA(metric=metric).fit(X, y)


def test_all_methods_with_tables_refuse_them(small_machine):
    X, y = np.arange(300)[:, None] % 7, np.arange(300) % 2
    with pytest.raises(InputError, match=r"need 0.000671 GiB, .* machine's memory; use a sample"):
        cw.COALACat().fit(X, y)
    words = "need 0.000152 GiB, .* memory; use a sample, or COALA with prototypes for one threshold"
    with pytest.raises(InputError, match=words):
        cw.tradeoff_curve(X[:101], y[:101])
    with pytest.raises(InputError, match=r"need 0.000152 GiB, .* machine's memory; use a sample"):
        cw.tradeoff_curve(X[:101], y[:101], metric="cityblock")
    with pytest.raises(InputError, match=r"need 0.000671 GiB, .* machine's memory; use a sample"):
        quality_score(X, y, "silhouette", metric="cityblock")
    with pytest.raises(InputError, match=r"need 0.000671 GiB, .* machine's memory; use a sample"):
        read_distances(X).as_table()
