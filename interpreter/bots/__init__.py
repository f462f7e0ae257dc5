"""interpreter.bots"""
