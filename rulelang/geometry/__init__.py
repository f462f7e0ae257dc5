"""Geometry: grids of squares and hexes, and the shapes that fit on them, as tables of integers.

In: sizes of boards, pictures of shapes. Out: adjacency, distances, boundaries, footprints. Uses
nothing else of the project; `networkx` only where a graph is asked for.
"""
