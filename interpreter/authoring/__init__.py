"""interpreter.authoring"""
