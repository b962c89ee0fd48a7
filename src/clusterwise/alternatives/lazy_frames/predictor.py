"""Label the objects of frames of any engine by the rule of an alternative."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.lazy_frames.label_rule import LabelRule, RuleInputs, label_rows
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import (
    as_lazy,
    collect_query,
    column_names,
    require_columns,
    require_frame,
    select_columns,
)


@dataclass(frozen=True)
class ClusterPredictor:
    """The rule of an alternative and the columns that it uses; it is small, and can be pickled."""

    inputs: RuleInputs
    rule: LabelRule

    def predict(self, frame: Any) -> Array:
        """Return the labels of the objects of a frame in memory."""
        require_columns(frame, self.inputs.names)
        labelled = label_rows(select_columns(frame, self.inputs.names), self.inputs, [self.rule])
        found = collect_query(labelled.frame.select("l0")).get_column("l0")
        return np.array(found.to_numpy(), np.int64)


def label_frame(frame: Any, predictors: dict[str, ClusterPredictor]) -> Any:
    """Return a lazy frame with columns of labels, under the names of the predictors.

    The predictors are those of one search. The frame is of the same library, and is not computed.
    """
    first, *_ = predictors.values()
    names = column_names(require_frame(frame))
    require_columns(frame, first.inputs.names)
    for column in predictors:
        if column in names:
            raise InputError(
                f"the frame has a column {column!r} already; pass another name as column."
            )
    rules = [one.rule for one in predictors.values()]
    labelled = label_rows(select_columns(frame, names), first.inputs, rules).frame
    originals = {f"c{i}": name for i, name in enumerate(names)}
    return labelled.rename(
        originals | {f"l{i}": column for i, column in enumerate(predictors)}
    ).to_native()


def predict_frame(predictor: ClusterPredictor, frame: Any, column: str) -> Any:
    """Return the labels of a frame in memory, or a lazy frame with a column of labels."""
    if as_lazy(frame) is None:
        return predictor.predict(require_frame(frame))
    return label_frame(frame, {column: predictor})
