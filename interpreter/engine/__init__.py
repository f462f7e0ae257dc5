"""interpreter.engine"""
