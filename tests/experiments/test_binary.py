"""The experiments with the binary method: what is printed, the ways, verdicts, small runs."""

from itertools import combinations

import numpy as np
import pytest
from experiments.binary import EXPERIMENTS
from experiments.binary.example import judge_example, run_example
from experiments.binary.implementations import (
    count_votes,
    draw,
    inter_by_bits,
    inter_from_votes,
    intra_by_bits,
    intra_from_votes,
    pack_candidate,
)
from experiments.binary.memory import MemoryUse, judge_memory, measure, measure_sizes
from experiments.binary.published import (
    BEST,
    CANDIDATE,
    ENSEMBLE,
    FIGURE_6,
    FIGURE_7,
    SHARED,
    WORST,
    Footprint,
)
from experiments.binary.times import (
    expect_matrix,
    find_power,
    find_powers,
    find_speeds,
    judge_times,
    run_figure6,
    time_cases,
)
from experiments.binary.timing import (
    BITS,
    ECS,
    ICS,
    MATRIX,
    OURS,
    PACKING,
    PAIRS,
    Timings,
    time_case,
)
from experiments.common.experiment import Setup

import clusterwise as cw

pytestmark = pytest.mark.slow

SETUP = Setup(1, progress=False)
SMALL = [(300, 10), (300, 100), (1200, 10), (1200, 100)]


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    """Nobody reads the times that are measured here."""
    monkeypatch.setattr("experiments.binary.timing.LEAST", 1e-4)


def timed(slow, fast, *, matrix=1000.0, packing=1.0, agree=True):
    """Times of a case: the two steps of judging take the same, and as much as they read."""
    steps = {(PAIRS, MATRIX): matrix, (OURS, PACKING): packing}
    for way, took in ((PAIRS, slow), (BITS, fast), (OURS, fast / 2)):
        steps |= {(way, ICS): took / 2, (way, ECS): took / 2}
    return Timings(steps, {PAIRS: slow, BITS: fast}, agree)


def find_claim(claims, start):
    return next(claim for claim in claims if claim.sentence.startswith(start))


def naive(drawn):
    """ICS and ECS from the definition, pair by pair."""
    ensemble, labels = drawn
    clusters = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    intra = sum(
        int((ensemble[i] == ensemble[j]).sum()) / ours.size**2
        for ours in clusters
        for i, j in combinations(ours, 2)
    )
    inter = sum(
        int((ensemble[i] == ensemble[j]).sum()) / (ours.size * others.size)
        for ours, others in combinations(clusters, 2)
        for i in ours
        for j in others
    )
    return intra, inter


def test_names_and_places():
    assert [one.name for one in EXPERIMENTS] == ["binary-example", "binary-fig6", "binary-fig7"]
    assert all(one.where and not one.sets for one in EXPERIMENTS)


def test_what_is_printed():
    assert list(FIGURE_6) == [(n, m) for n in (5_000, 10_000, 20_000) for m in (10, 50, 100)]
    assert FIGURE_6[20_000, 100] == (21.68, 2318.60, 93.95, 6929.19, 184259.79)
    assert FIGURE_6[10_000, 50] == (6.32, 598.15, 24.28, 1789.65, 18109.66)
    assert FIGURE_7[20_000] == ((25, 1.0), (1650, 1600))
    # The two ratios in the text follow from the figure, so that its numbers are typed right.
    ratios = [(one.matrix + one.conventional) / one.binary for one in FIGURE_6.values()]
    assert min(ratios) == pytest.approx(WORST, abs=0.05)
    assert max(ratios) == pytest.approx(BEST, abs=0.05)


def test_one_printed_time_is_out_of_line():
    factors = {n: FIGURE_6[n, 10].matrix / expect_matrix(n) for n in (5_000, 10_000, 20_000)}
    assert [n for n, factor in factors.items() if factor > 1.5] == [10_000]


def test_the_figures_are_partitions_of_eight_objects():
    assert {len(one) for one in (*ENSEMBLE, CANDIDATE)} == {8}
    assert cw.intra_cluster_similarity(CANDIDATE, np.array(ENSEMBLE).T) == pytest.approx(13 / 36)
    assert cw.inter_cluster_similarity(CANDIDATE, np.array(ENSEMBLE).T) == pytest.approx(4.5)


def test_the_example():
    outcome = run_example(SETUP)
    counts, values = outcome.tables
    assert len(counts.lines) == len(SHARED)
    assert all(line.difference == 0 for line in counts.lines)
    ours = {line.what: line.ours for line in values.lines}
    assert ours["ICS", "Eq. 6"] == pytest.approx(13 / 36)
    # Twice, and three clusterings over each size: 3 (1/3 + 1/2 + 1/2 + 1).
    assert ours["ICS", "Eq. 3, as printed"] == pytest.approx(2 * 13 / 36 + 7)
    assert ours["ECS", "Eq. 4"] == ours["ECS", "Eq. 7"] == pytest.approx(4.5)
    (claim,) = outcome.claims
    assert claim.verdict == "holds on 1 of 2"
    assert "With each pair counted once they are equal." in claim.why


def test_the_verdict_on_the_equations_can_hold_and_fail():
    intra = {"Eq. 3, as printed": 1.0, "Eq. 3, each pair once": 2.0, "Eq. 6": 1.0}
    inter = {"Eq. 4": 1.0, "Eq. 7": 1.0}
    assert judge_example(intra, inter)[0] == (
        "Eqs. 6 and 7 give the same values as Eqs. 3 and 4.",
        2,
        2,
        "",
    )
    wrong = judge_example(intra | {"Eq. 6": 3.0}, inter | {"Eq. 7": 2.0})[0]
    assert wrong.verdict == "does not hold"
    assert "With each pair once" not in wrong.why


@pytest.mark.parametrize(("n", "members", "clusters"), [(40, 3, 4), (70, 7, 2), (65, 300, 3)])
def test_all_ways_give_what_the_definition_gives(n, members, clusters):
    drawn = draw(n, members, clusters, n)
    expected = pytest.approx(naive(drawn))
    votes = count_votes(drawn.ensemble)
    assert (
        intra_from_votes(votes, drawn.candidate),
        inter_from_votes(votes, drawn.candidate),
    ) == expected
    packed, ours = cw.pack_ensemble(drawn.ensemble), pack_candidate(drawn.candidate)
    assert (intra_by_bits(packed.words, ours), inter_by_bits(packed.words, ours)) == expected


def test_votes_are_counted_beyond_a_byte():
    ensemble = np.zeros((70, 300), np.int8)
    ensemble[1:] = 1
    votes = count_votes(ensemble)
    assert votes.dtype == np.int32
    assert (votes[0, 0], votes[0, 1], votes[68, 69]) == (300, 0, 300)


def test_draws_repeat_with_their_seed():
    first, again, other = draw(50, 4, 3, 1), draw(50, 4, 3, 1), draw(50, 4, 3, 2)
    assert np.array_equal(first.ensemble, again.ensemble)
    assert np.array_equal(first.candidate, again.candidate)
    assert not np.array_equal(first.ensemble, other.ensemble)


def test_all_steps_are_timed():
    found = time_case((200, 3), range(2))
    assert found.agree
    assert all(took > 0 for took in found.steps.values())
    judged = {(way, step) for way in (PAIRS, BITS, OURS) for step in (ICS, ECS)}
    assert set(found.steps) == judged | {(PAIRS, MATRIX), (OURS, PACKING)}
    alone = time_case((200, 3), [0], whole=False)
    assert set(alone.steps) == {(OURS, PACKING), (OURS, ICS), (OURS, ECS)}


def test_values_that_differ_are_noticed(monkeypatch):
    monkeypatch.setattr("experiments.binary.timing.inter_from_votes", lambda *_: 0.0)
    assert not time_case((200, 3), [0]).agree


def test_speeds_and_powers():
    assert find_speeds(timed(100, 10), BITS) == pytest.approx((110, 100, 10))
    assert find_speeds(timed(100, 10), OURS) == pytest.approx((220, 1100 / 6, 20))
    assert find_power({10: 3.0, 20: 12.0}) == pytest.approx(2)
    assert find_power({40: 7.0, 10: 7.0, 20: 99.0}) == pytest.approx(0)


def test_verdicts_on_times_hold():
    claims = judge_times({(1000, 100): timed(100, 1), (4000, 100): timed(1600, 1)})
    assert [claim.verdict for claim in claims] == ["holds"] * 4
    assert claims[0].why.startswith("1,100 to 2,600 times faster by our times, 281.2 to 2,369.0 by")
    assert (
        claims[2].why
        == "The number of cells read grows with exponent 2.0 (time: 2.0, published 2.0)."
    )


def test_verdicts_on_times_fail():
    slow = {
        (1000, 100): timed(100, 1, agree=False),
        (1000, 10): timed(100, 200),
        (4000, 100): timed(400, 8),
    }
    claims = judge_times(slow)
    assert [claim.verdict for claim in claims] == [
        "holds on 2 of 3",
        "holds on 2 of 3",
        "does not hold",
        "does not hold",
    ]
    assert claims[3].why.endswith("with exponent 1.5 (time: 1.5, published 0.9).")


def test_what_is_read_is_quadratic_for_pairs_and_linear_for_bits():
    found = {case: time_case(case, [0]) for case in ((640, 100), (2560, 100))}
    # Four clusters of the candidate, all pairs of them, and a cluster with itself.
    sizes = np.bincount(draw(640, 100, 4, 0).candidate)
    within, all_pairs = (sizes**2).sum(), 640**2
    assert found[640, 100].read[PAIRS] == within + (all_pairs - within) // 2
    # 14 passes: four for ICS, ten for ECS, over 400 rows of ten words.
    assert found[640, 100].read[BITS] == 14 * 400 * 10
    assert find_powers(found, BITS).read == pytest.approx(1)
    assert find_powers(found, PAIRS).read == pytest.approx(2, abs=0.01)


def test_what_does_not_depend_on_time_repeats():
    first, again = (time_cases(SETUP, SMALL[1::2], []) for _ in range(2))
    assert first.tables[2].records() == again.tables[2].records()


def test_times_of_small_cases_in_tables():
    outcome = time_cases(SETUP, SMALL, [(2000, 100)])
    times, speeds, read = outcome.tables
    assert len(read.lines) == 2 * len(SMALL)
    assert len(times.lines) == 8 * len(SMALL) + 3
    assert len(speeds.lines) == 6 * len(SMALL)
    assert times.lines[-1].what == ("2,000", "100", OURS, ECS)
    assert all(line.published is None for line in times.lines)
    same = find_claim(outcome.claims, "Both give the same")
    assert (same.holds, same.of) == (4, 4)
    assert "19 to 767" in outcome.remarks[1]


def test_published_times_stand_beside_ours(monkeypatch):
    monkeypatch.setattr("experiments.binary.times.time_case", lambda *_, **__: timed(9, 1))
    outcome = run_figure6(SETUP)
    lines = {line.what: line for line in outcome.tables[0].lines}
    assert lines["20,000", "100", PAIRS, MATRIX].published == 184259.79
    assert lines["5,000", "50", BITS, ECS].published == 12.62
    assert lines["5,000", "50", OURS, ECS].published is None
    assert [what for what, line in lines.items() if line.remark] == [
        ("10,000", "10", PAIRS, MATRIX)
    ]
    sizes = {line.what[0] for line in outcome.tables[0].lines}
    assert "100,000" in sizes
    assert "1,000,000" not in sizes
    full = run_figure6(SETUP._replace(full=True)).tables[0]
    assert "1,000,000" in {line.what[0] for line in full.lines}


def test_memory_is_that_of_the_matrix_and_of_the_bits():
    used = measure(640)
    assert used.pairs.structures == pytest.approx(4 * 640**2 / 1e6)
    assert used.bits.structures == pytest.approx(400 * 640 / 8 / 1e6)
    assert used.pairs.structures < used.pairs.whole < 2 * used.pairs.structures
    assert used.bits.structures < used.bits.whole
    assert measure(640, pairs=False).pairs is None


def test_memory_in_a_table():
    (table,) = measure_sizes(SETUP, [640], [1000]).tables
    assert [line.what for line in table.lines] == [
        ("640", OURS, "at the peak"),
        ("640", OURS, "data structures"),
        ("640", PAIRS, "at the peak"),
        ("640", PAIRS, "data structures"),
        ("1,000", OURS, "at the peak"),
        ("1,000", OURS, "data structures"),
        ("1,000", PAIRS, "data structures"),
    ]
    assert (table.lines[-1].ours, table.lines[-1].remark) == (4.0, "not made")


def test_verdicts_on_memory_hold_and_fail():
    found = {n: MemoryUse(bits, pairs) for n, (bits, pairs) in FIGURE_7.items()}
    small = {n: MemoryUse(Footprint(1, one.bits.structures), one.pairs) for n, one in found.items()}
    large = {100_000: MemoryUse(Footprint(20, 5), None)}
    assert [claim.verdict for claim in judge_memory(small | large)] == ["holds"] * 3
    # In print the virtual machine hides how little the bits take of it.
    claims = judge_memory(found | {100_000: MemoryUse(Footprint(3_000, 5), None)})
    assert [claim.verdict for claim in claims] == ["holds", "holds on 1 of 3", "does not hold"]
    other = found | {5_000: MemoryUse(Footprint(1, 0.5), Footprint(150, 200))}
    assert judge_memory(other)[0].verdict == "holds on 4 of 6"
    assert judge_memory(other)[2].verdict == "does not hold"
