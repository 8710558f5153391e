"""What a call costs against its size; ``python -m benchmarks.load`` measures it."""
