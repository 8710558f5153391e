"""Compare the trials of an Optuna study by the scores that its objective stored."""

from skcvstats import SplitDesign, compare_scores


def compare_trials(study, X, y, cv, **options):
    """Compare the finished trials; `cv` is the splitter of all of them, and has a seed."""
    finished = [trial for trial in study.trials if trial.state.name == "COMPLETE"]
    scores = {f"#{trial.number}": trial.user_attrs["scores"] for trial in finished}
    design = SplitDesign.from_splitter(cv, X, y)
    return compare_scores(scores, design=design, **options)
