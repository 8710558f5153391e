"""The expected errors of the regression problem in closed form: the report's equations 18 and 19.

Table 2 prints them for n/2 and 9n/10 rows; they are the true values under test in its simulations.
"""


def sample_mean_error(problem, n_train):
    """Return the expected squared error of the sample mean (equation 18).

    Parameters
    ----------
    problem : Regression
    n_train : int
        Rows of the training set, at least 1.
    """
    if n_train < 1:
        raise ValueError(f"n_train={n_train}: the sample mean needs 1 row or more.")
    variance = problem.y_variance + problem.slope**2 * problem.x_variance
    return (n_train + 1) / n_train * variance


def least_squares_error(problem, n_train):
    """Return the expected squared error of ordinary least squares (equation 19).

    Parameters
    ----------
    problem : Regression
    n_train : int
        Rows of the training set, more than 3: with fewer the expectation is infinite.
    """
    if n_train <= 3:
        raise ValueError(
            f"n_train={n_train}: the expected error of least squares is finite from 4 rows on."
        )
    return (n_train + 1) / n_train * (n_train - 2) / (n_train - 3) * problem.y_variance


def expected_errors(problem, n_train):
    """Return the expected errors of A, B and A-B at `n_train` rows.

    Parameters
    ----------
    problem : Regression
    n_train : int
    """
    errors = {"A": sample_mean_error(problem, n_train), "B": least_squares_error(problem, n_train)}
    return errors | {"A-B": errors["A"] - errors["B"]}
