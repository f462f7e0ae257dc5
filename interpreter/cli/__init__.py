"""interpreter.cli"""
