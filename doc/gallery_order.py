"""The order of the gallery: what most readers come for is first, the theory last."""

ORDER = [
    "plot_compare_three_models",
    "plot_paper_column",
    "plot_tukey_over_folds",
    "plot_imbalanced",
    "plot_groups",
    "plot_predictions_groups",
    "plot_repeated_answers",
    "plot_nested_tuning",
    "plot_grid_search",
    "plot_how_many_splits",
    "plot_learning_curve",
    "plot_forecasts",
    "plot_report",
    "plot_simulate",
    "plot_seven_procedures",
    "plot_correlation_of_splits",
    "plot_null_rejections",
]


class ReadingOrder:
    """Sort key of sphinx-gallery; an example that is not listed is an error."""

    def __init__(self, src_dir):
        self.src_dir = src_dir

    def __call__(self, filename):
        """Return the place of an example."""
        return ORDER.index(filename.removesuffix(".py"))
