"""The simulation behind max-t, for any covariance; other tests see it through results only."""

from dataclasses import replace
from functools import partial

import numpy as np

from skcvstats.comparison import _joint
from skcvstats.stats import Root


def draws_of(factor, n_squares, *, n_draws=49_999, n_shared=1, source=_joint.standard_normals):
    """Return draws for all pairs of estimates whose covariance is factor @ factor.T."""
    pairs = ~np.eye(len(factor), dtype=bool)
    return _joint.Draws(factor, n_squares, pairs, n_draws, n_shared, source)


def draws_of_root(values, n_squares):
    """Return draws for all pairs of estimates with this root of their covariance."""
    return _joint.make_draws(Root(values, n_squares), ~np.eye(len(values), dtype=bool))


def family_of(maxima, n_comparisons, n_squares, *, n_shared=1):
    """Return comparisons of which these are the simulated maxima."""
    draws = draws_of(np.eye(3), n_squares, n_draws=np.size(maxima), n_shared=n_shared)
    return draws.family(n_comparisons, np.asarray(maxima, dtype=float))


def seeded_normals(seed):
    """Return a source of other normal numbers than those of results."""
    return partial(_joint.standard_normals, seed=seed)


def announced(*sizes):
    """Yield normal numbers, and say when the first block of them is used."""
    for k, block in enumerate(_joint.standard_normals(*sizes)):
        yield block
        if k == 0:
            print("started", flush=True)


def draw_for_minutes():
    """Let the simulation for many estimators take minutes in this process, and announce itself."""
    _joint.shown_normals = announced
    _joint.N_DRAWS_OF_MANY = 10**7


def set_number_of_draws(monkeypatch, n_draws):
    """Let each simulation have so many draws, fewer than for users."""
    make_draws = _joint.make_draws

    def make_fewer(*given, **options):
        return replace(make_draws(*given, **options), n_draws=n_draws)

    monkeypatch.setattr(_joint, "make_draws", make_fewer)


def set_number_of_leaders(monkeypatch, n_leaders):
    """Let so many estimators of a draw be compared with all others first."""
    monkeypatch.setattr(_joint, "_N_LEADERS", n_leaders)


def show_progress_after(monkeypatch, seconds):
    """Let the progress of the simulation be shown after so many seconds."""
    monkeypatch.setattr(_joint, "_PATIENCE", seconds)
