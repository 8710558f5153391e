"""
Would more data help: a learning curve
======================================

A learning curve shows how scores grow with the number of training rows. Here it has intervals, and
tests say which gains are shown.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor

from skcvstats import learning_curve_inference

X, y = load_diabetes(return_X_y=True)
models = {
    "linear": LinearRegression(),
    "ridge": Ridge(0.1),
    "knn": KNeighborsRegressor(10),
}
result = learning_curve_inference(models, X, y, train_sizes=(0.1, 0.2, 0.5, 1.0))
print(result)

# %%
# Each model is trained on nested parts of the training sets of the same 4x5 folds. The bands
# contain all true scores at once in 95 % of data sets. Between the sizes that were measured lines
# only join them, and nothing is drawn beyond all rows.

result.plot()
plt.show()

# %%
# Whether a gain, or a difference of two models, is shown is not read from bands that overlap, but
# from the intervals of these differences:

result.differences().round(3)
