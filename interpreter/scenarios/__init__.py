"""interpreter.scenarios"""
