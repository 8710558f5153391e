"""How often Tukey's test over the folds of one data set claims a difference that is not there."""
