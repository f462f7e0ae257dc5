"""interpreter.evaluator"""
