"""The pictures of the atlas: coverage against length, a panel for each kind of learner, as SVG."""

from html import escape

import numpy as np

from .procedures import CAREFUL, COMPARATOR, ROW_T, SAME_FOLDS
from .summaries import by_kind, means, with_sizes

SHOWN = {  # procedures, and the colours of their dots
    ROW_T: "#1f77b4",
    CAREFUL: "#9467bd",
    SAME_FOLDS: "#d95f02",
    "usual t, 20 tenths": "#888888",
    COMPARATOR: "#1b9e77",
}
_WIDTH, _HEIGHT, _EDGE = 300, 190, 34
_LENGTHS, _COVERAGES = (0.4, 1.6), (0.6, 1.0)


def pictures(table):
    """Return panels of differences and of single scores, each with its worst cells."""
    cells = by_kind(with_sizes(table))
    key = "".join(
        f'<span class="atlas-key"><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in SHOWN.items()
    )
    parts = [f"<p>{key}</p>"]
    for what, some in cells.groupby("what"):
        panels = "".join(_panel(kind, part, what) for kind, part in some.groupby("learners"))
        parts.append(f'<h3>{what.capitalize()}</h3><div class="atlas-panels">{panels}</div>')
    return "".join(parts)


def _panel(kind, cells, what):
    """Return one panel: small dots are cells, large ones the mean of a procedure."""
    drawn, large = [], []
    mean = means(cells, ["procedure"]).set_index("procedure")
    for name, colour in SHOWN.items():
        own = cells[(cells["procedure"] == name) & np.isfinite(cells["length"])]
        if own.empty:
            continue
        if name != COMPARATOR:  # its length is 1
            places = zip(*_places(own["length"], 1 - own["size"]), strict=True)
            path = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in sorted({*places}))
            drawn.append(f'<path d="{path}" stroke="{colour}"/>')
        (x,), (y,) = _places([mean["length"][name]], [1 - mean["size"][name]])
        large.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="6" fill="{colour}"/>')
    title = f"{kind}, {what}: coverage against length"
    return (
        f'<figure><figcaption>{escape(kind)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' role="img" aria-label="{escape(title)}">{_axes()}<g class="atlas-dots">{"".join(drawn)}'
        f'</g><g class="atlas-means">{"".join(large)}</g></svg>{_worst(cells)}</figure>'
    )


def _places(lengths, coverages):
    """Return the places of points in a panel; what is outside stands on its edge."""
    found = []
    for values, (low, high), start, end in (
        (lengths, _LENGTHS, _EDGE, _WIDTH - 6),
        (coverages, _COVERAGES, _HEIGHT - _EDGE, 6),
    ):
        share = (np.clip(np.asarray(values, dtype=float), low, high) - low) / (high - low)
        found.append(np.round(start + share * (end - start)))
    return found


def _axes():
    """Return the frame of a panel, with the wanted coverage and the comparator's length."""
    xs, ys = [0.6, 0.8, 1.0, 1.2, 1.4], [0.6, 0.7, 0.8, 0.9, 1.0]
    (x, _), (_, y) = _places(xs, [0.6] * 5), _places([1] * 5, ys)
    marks = [
        f'<text x="{a:.0f}" y="{_HEIGHT - 20}" text-anchor="middle">{v:g}</text>'
        for a, v in zip(x, xs, strict=True)
    ]
    marks += [
        f'<text x="{_EDGE - 4}" y="{b + 4:.0f}" text-anchor="end">{100 * v:.0f}</text>'
        for b, v in zip(y, ys, strict=True)
    ]
    (one,), (wanted,) = _places([1.0], [0.95])
    lines = f"M{_EDGE} {wanted:.0f}H{_WIDTH - 6}M{one:.0f} 6V{_HEIGHT - _EDGE}"
    words, middle = "relative length; coverage in %", _WIDTH // 2
    label = f'<text x="{middle}" y="{_HEIGHT - 4}" text-anchor="middle">{words}</text>'
    return f'<path class="atlas-lines" d="{lines}"/>{"".join(marks)}{label}'


def _worst(cells):
    """Return where the row t-test misses most often."""
    own = cells[cells["procedure"] == ROW_T]
    own = own.rename(columns={"size": "missed"})
    if own.empty:
        return ""
    names = [
        f"{row.a}{' against ' * bool(row.b)}{row.b}, {row.metric}, {row.population},"
        f" {row.n_rows} rows: {100 * (1 - row.missed):.0f} %"
        f" ± {100 * np.sqrt(row.missed * (1 - row.missed) / row.data_sets):.0f}"
        for row in own.nlargest(2, "missed").itertuples()
    ]
    words = f"The row t-test covers least, of {len(own)} cells: {'; '.join(names)}."
    return f"<p><small>{escape(words)}</small></p>"
