"""What sphinx-gallery calls before each example."""

import warnings


def warnings_are_errors(gallery_conf, fname):
    """Let an example that warns fail, as the tests do."""
    warnings.simplefilter("error", UserWarning)
    warnings.simplefilter("error", FutureWarning)
