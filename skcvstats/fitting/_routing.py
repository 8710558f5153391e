"""Decide who gets which `params`: the fit of each estimator, the scorer, the splitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing


@dataclass(frozen=True)
class Routed:
    """The parameters for each consumer."""

    fit: tuple[Mapping[str, Any], ...]
    score: Mapping[str, Any]
    split: Mapping[str, Any]


def route(
    estimators: Sequence[Any],
    cv: Any,
    scorer: Any,
    *,
    groups: Any,
    params: Mapping[str, Any] | None,
) -> Routed:
    """Route `params` and `groups`.

    Without metadata routing, every ``fit`` gets all of `params`, and the splitter gets `groups`, as
    in scikit-learn. With ``enable_metadata_routing`` each consumer gets what it has requested, and
    scikit-learn raises for what no consumer requested.
    """
    params = dict(params or {})
    if not is_routing():
        return Routed((params,) * len(estimators), {}, {"groups": groups})
    if groups is not None:
        if "groups" in params:
            raise ValueError("groups is given twice: as groups= and in params. Give it once.")
        params["groups"] = groups
    router = MetadataRouter(owner="skcvstats")
    for k, estimator in enumerate(estimators):
        router.add(**{f"estimator_{k}": estimator}, method_mapping=_on("fit"))
    router.add(splitter=cv, method_mapping=_on("split"))
    router.add(scorer=scorer, method_mapping=_on("score"))
    routed = process_routing(router, "fit", **params)
    return Routed(
        tuple(routed[f"estimator_{k}"].fit for k in range(len(estimators))),
        routed.scorer.score,
        routed.splitter.split,
    )


def is_routing() -> bool:
    """Whether metadata routing is enabled, also in a scikit-learn that has no setting for it."""
    return bool(get_config().get("enable_metadata_routing", True))


def _on(callee: str) -> MethodMapping:
    return MethodMapping().add(caller="fit", callee=callee)
