"""interpreter.table"""
