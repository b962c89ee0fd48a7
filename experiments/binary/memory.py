"""Fig. 7: the memory of ICS and ECS, by pairs of objects and by bit vectors."""

import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from clusterwise._utils.progress import track
from clusterwise.consensus.phi.objective import inter_cluster_similarity, intra_cluster_similarity
from clusterwise.summaries.ensemble.packed import pack_ensemble
from experiments.binary.implementations import (
    Draw,
    count_votes,
    draw,
    inter_from_votes,
    intra_from_votes,
)
from experiments.binary.published import CLUSTERS, FIGURE_7, MACHINE, MEMBERS, Footprint
from experiments.binary.timing import OURS, PAIRS
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

_LARGE, _LARGEST = 100_000, 1_000_000
_WARM_UP = 500
_BYTES = 1e6
_LESS = 50.0
_WHOLE, _STRUCTURES = "at the peak", "data structures"


class MemoryUse(NamedTuple):
    """Megabytes by bit vectors and by pairs; None where pairs were not run."""

    bits: Footprint
    pairs: Footprint | None


def run_figure7(setup: Setup) -> Outcome:
    """Run the sizes of Fig. 7, and larger ones with our implementation."""
    return measure_sizes(setup, list(FIGURE_7), [_LARGE, _LARGEST] if setup.full else [_LARGE])


def measure_sizes(setup: Setup, sizes: Sequence[int], large: Sequence[int]) -> Outcome:
    """Measure sizes with both methods, and large ones with ours."""
    measure(_WARM_UP)  # compiles, so that compilation is not measured
    every = [*sizes, *large]
    found = {
        n: measure(n, pairs=n in sizes) for n in track(every, len(every), "memory", setup.progress)
    }
    table = Table(
        f"Megabytes, {MEMBERS} clusterings of {CLUSTERS} clusters",
        ("objects", "way", "memory"),
        list(chain.from_iterable(_lines(n, used) for n, used in found.items())),
        digits=2,
    )
    return Outcome(
        [table],
        judge_memory(found),
        (
            "Published peaks are those of the whole virtual machine. Ours are the memory allocated "
            "while the similarities are computed, without the input labels and the interpreter.",
        ),
    )


def measure(n: int, *, pairs: bool = True) -> MemoryUse:
    """Return the megabytes that ICS and ECS of one candidate take."""
    drawn = draw(n, MEMBERS, CLUSTERS, 0)
    return MemoryUse(_footprint(_by_bits, drawn), _footprint(_from_pairs, drawn) if pairs else None)


def judge_memory(found: Mapping[int, MemoryUse]) -> list[Claim]:
    """Check the claims on memory."""
    both = {n: (used.bits, used.pairs) for n, used in found.items() if used.pairs is not None}
    printed = [
        round(ours.structures, 2) == theirs.structures
        for n, some in both.items()
        if n in FIGURE_7
        for ours, theirs in zip(some, FIGURE_7[n], strict=True)
    ]
    less = [pairs.whole / bits.whole for bits, pairs in both.values()]
    largest = max(found)
    needed = _matrix(largest)
    fits = found[largest].bits.whole < MACHINE < needed
    return [
        Claim("The data structures take as much memory as in Fig. 7.", sum(printed), len(printed)),
        Claim(
            f"The binary method takes far less memory (less than 1/{_LESS:.0f}).",
            sum(ratio > _LESS for ratio in less),
            len(less),
        ),
        Claim(
            f"It can handle data sets for which the matrix is too large ({largest:,} objects in "
            f"{MACHINE / 1e3:.0f} GB, as on the paper's computer).",
            int(fits),
            1,
            f"It takes {found[largest].bits.whole:,.0f} MB, and a matrix {needed:,.0f} MB.",
        ),
    ]


def _by_bits(drawn: Draw) -> float:
    packed = pack_ensemble(drawn.ensemble)
    intra_cluster_similarity(drawn.candidate, packed)
    inter_cluster_similarity(drawn.candidate, packed)
    return packed.words.nbytes / _BYTES


def _from_pairs(drawn: Draw) -> float:
    votes = count_votes(drawn.ensemble)
    intra_from_votes(votes, drawn.candidate)
    inter_from_votes(votes, drawn.candidate)
    return votes.nbytes / _BYTES


def _footprint(task: Callable[[Draw], float], drawn: Draw) -> Footprint:
    tracemalloc.start()
    try:
        structures = task(drawn)
        return Footprint(tracemalloc.get_traced_memory()[1] / _BYTES, structures)
    finally:
        tracemalloc.stop()


def _matrix(n: int) -> float:
    """Return the megabytes of a matrix with four bytes per pair."""
    return 4 * n**2 / _BYTES


def _lines(n: int, used: MemoryUse) -> Iterator[Line]:
    printed = FIGURE_7.get(n, (None, None))
    for way, ours, theirs in zip((OURS, PAIRS), used, printed, strict=True):
        whole, structures = theirs or (None, None)
        if ours is None:
            yield Line((f"{n:,}", way, _STRUCTURES), _matrix(n), None, "not made")
            continue
        yield Line((f"{n:,}", way, _WHOLE), ours.whole, whole)
        yield Line((f"{n:,}", way, _STRUCTURES), ours.structures, structures)


FIGURE7 = Experiment(
    "binary-fig7",
    "Memory of ICS and ECS, by pairs of objects and by bit vectors",
    "Fig. 7, sec. 5",
    run_figure7,
)
