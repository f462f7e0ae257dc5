"""interpreter.model"""
