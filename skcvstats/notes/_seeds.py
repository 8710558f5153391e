"""The notes on random numbers in fits: models that may depend on a fixed seed, and fresh seeds."""

from collections.abc import Iterator, Mapping
from typing import Any

from .._utils._checks import listed, random_states
from ..scores import Note
from ._evidence import Evidence
from ._registry import note

_ALWAYS: Mapping[str, tuple[Any, ...]] = {"random_state": ()}
_OF_TREES = {"splitter": ("best",), "max_features": (None,)}
_OF_BOOSTING = {"subsample": (1.0,), "max_features": (None,), "n_iter_no_change": (None,)}
_OF_HISTOGRAMS = {"early_stopping": (False,), "max_features": (1.0,)}
_OF_STEPS = {"shuffle": (False,), "early_stopping": (False,)}
_OF_PROBABILITIES = {"probability": (False, "deprecated")}
_NOT_RANDOMIZED = ("auto", "full", "covariance_eigh", "arpack")  # "auto" may be, on much data
_OF_IMPUTATION = {
    "sample_posterior": (False,),
    "n_nearest_features": (None,),
    "imputation_order": ("ascending", "descending", "roman", "arabic"),
}
# The classes of scikit-learn that draw at random, each with the values of its parameters with which
# it draws nothing. Ties between splits of a tree, the order of rows on the way to the only
# solution, and what is drawn only of much data, count as nothing.
RANDOM_MODELS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "AdaBoostClassifier": {"estimator": (None,)},
    "AdaBoostRegressor": _ALWAYS,
    "BaggingClassifier": _ALWAYS,
    "BaggingRegressor": _ALWAYS,
    "BayesianGaussianMixture": _ALWAYS,
    "BernoulliRBM": _ALWAYS,
    "BisectingKMeans": _ALWAYS,
    "DecisionTreeClassifier": _OF_TREES,
    "DecisionTreeRegressor": _OF_TREES,
    "DictionaryLearning": _ALWAYS,
    "DummyClassifier": {"strategy": ("prior", "most_frequent", "constant")},
    "EllipticEnvelope": _ALWAYS,
    "ExtraTreeClassifier": _ALWAYS,
    "ExtraTreeRegressor": _ALWAYS,
    "ExtraTreesClassifier": _ALWAYS,
    "ExtraTreesRegressor": _ALWAYS,
    "FastICA": _ALWAYS,
    "GaussianMixture": _ALWAYS,
    "GaussianProcessClassifier": {"n_restarts_optimizer": (0,)},
    "GaussianProcessRegressor": {"n_restarts_optimizer": (0,)},
    "GaussianRandomProjection": _ALWAYS,
    "GradientBoostingClassifier": _OF_BOOSTING,
    "GradientBoostingRegressor": _OF_BOOSTING,
    "HalvingGridSearchCV": _ALWAYS,
    "HalvingRandomSearchCV": _ALWAYS,
    "HistGradientBoostingClassifier": _OF_HISTOGRAMS,
    "HistGradientBoostingRegressor": _OF_HISTOGRAMS,
    "IsolationForest": _ALWAYS,
    "IterativeImputer": _OF_IMPUTATION,
    "KMeans": _ALWAYS,
    "KernelPCA": {"eigen_solver": ("auto", "dense", "arpack")},
    "Lars": {"jitter": (None,)},
    "LassoLars": {"jitter": (None,)},
    "LatentDirichletAllocation": _ALWAYS,
    "MLPClassifier": _ALWAYS,
    "MLPRegressor": _ALWAYS,
    "MinCovDet": _ALWAYS,
    "MiniBatchDictionaryLearning": _ALWAYS,
    "MiniBatchKMeans": _ALWAYS,
    "MiniBatchNMF": _ALWAYS,
    "MiniBatchSparsePCA": _ALWAYS,
    "NMF": _ALWAYS,
    "NuSVC": _OF_PROBABILITIES,
    "Nystroem": _ALWAYS,
    "OutputCodeClassifier": _ALWAYS,
    "PCA": {"svd_solver": _NOT_RANDOMIZED},
    "PassiveAggressiveClassifier": _OF_STEPS,
    "PassiveAggressiveRegressor": _OF_STEPS,
    "PatchExtractor": {"max_patches": (None,)},
    "Perceptron": _OF_STEPS,
    "PolynomialCountSketch": _ALWAYS,
    "RANSACRegressor": _ALWAYS,
    "RBFSampler": _ALWAYS,
    "RandomForestClassifier": _ALWAYS,
    "RandomForestRegressor": _ALWAYS,
    "RandomTreesEmbedding": _ALWAYS,
    "RandomizedSearchCV": _ALWAYS,
    "SGDClassifier": _OF_STEPS,
    "SGDOneClassSVM": {"shuffle": (False,)},
    "SGDRegressor": _OF_STEPS,
    "SVC": _OF_PROBABILITIES,
    "SkewedChi2Sampler": _ALWAYS,
    "SparseRandomProjection": _ALWAYS,
    "TargetEncoder": {"shuffle": (False, "deprecated")},
    "TheilSenRegressor": _ALWAYS,
    "TruncatedSVD": {"algorithm": ("arpack",)},
}
_UNSEEN = "one split shows no seed-to-seed variability, so the standard error does not include it"


def _unless_one_split(evidence: Evidence, clause: str) -> str:
    """Return a clause on seed-to-seed variability, for one split that it shows none."""
    return clause if evidence.n_splits > 1 else _UNSEEN


@note(
    "fresh seeds",
    title="Fresh seeds",
    looks_for="Fits with random states of their own.",
    why="The result is about the algorithms with any seed, not about one seed.",
    remedy="Nothing: the standard error includes seed-to-seed variability.",
)
def fresh_seeds(evidence: Evidence) -> Iterator[Note]:
    if evidence.seed_of_fits is None:
        return
    names = [name for name, model in evidence.estimators.items() if random_states(model)]
    consequence = _unless_one_split(
        evidence, "the standard error includes seed-to-seed variability"
    )
    text = (
        f"fresh seeds in every fit of {listed(names)}, from random_state={evidence.seed_of_fits}: "
        f"{consequence}"
    )
    if not names:
        text = "no estimator has a parameter random_state, so fresh_seeds=True changed nothing"
    yield Note("fresh seeds", text, None, about=tuple(names))


@note(
    "fixed seeds",
    title="Fixed seeds",
    looks_for="Several models, some of them drawing at random from a fixed random_state.",
    why="A difference may be due to the seed.",
    remedy="Pass fresh_seeds=True.",
    on_sound_data="Reported whenever such models are compared, as a fact.",
)
def fixed_seeds(evidence: Evidence) -> Iterator[Note]:
    is_about_fits = any(procedure.fixed for procedure in evidence.procedures.values())
    if evidence.seed_of_fits is not None or is_about_fits:
        return
    if len(evidence.estimators) == 1:  # nobody asks which learning algorithm is better
        return
    names = [
        name for name, parts in evidence.parts.items() if any(map(_draws_from_fixed_state, parts))
    ]
    if names:
        remedy = _unless_one_split(
            evidence, "fresh_seeds=True includes seed-to-seed variability in the standard error"
        )
        text = (
            f"predictions of {listed(names)} may depend on random_state: the difference may be due "
            f"to the seed; {remedy}"
        )
        yield Note("fixed seeds", text, None, about=tuple(names))


def _draws_from_fixed_state(part: Any) -> bool:
    """Return whether an estimator draws at random from a random_state that is fixed."""
    if getattr(part, "random_state", None) is None:
        return False
    kind = type(part)
    if not kind.__module__.startswith("sklearn."):  # about which nothing is known
        return True
    quiet_values = RANDOM_MODELS.get(kind.__name__, {})
    return any(getattr(part, name, None) not in quiet for name, quiet in quiet_values.items())
