"""The public surface of Rulelang in Python, as `import rulelang` offers it.

In come names, titles and plain data; out go values that compare, hash and print. Players are the
numbers 1 to n here and nowhere below. It may use every package under it but the command line.
"""
