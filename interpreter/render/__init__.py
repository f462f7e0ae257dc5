"""interpreter.render"""
