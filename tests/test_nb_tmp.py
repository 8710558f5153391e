import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator
from benchmarks.nadeau_bengio.trees import *
from benchmarks.nadeau_bengio.neighbors import *
from benchmarks.nadeau_bengio.linear import *
L=[LeastSquaresTree(),DevianceTree(),NearestNeighbor(),SampleMean(),LeastSquaresRegression(),LeastSquaresClassifier()]
C=[p for l in L for p in estimator_checks_generator(l)]
@pytest.mark.parametrize(("estimator","check"),C)
def test_check(estimator, check):
    check(estimator)
