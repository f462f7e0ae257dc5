"""interpreter.game"""
