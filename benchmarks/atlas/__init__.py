"""The atlas: where each procedure holds, for differences and single scores of real learners."""
