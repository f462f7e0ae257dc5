"""Generated Python: the compiled rules written out as functions, for speed; the reference evaluator stays the measure of what they mean."""
