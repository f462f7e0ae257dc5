"""interpreter.simulation"""
