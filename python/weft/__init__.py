"""weft: a cloth solver on GPUs and processors that agree in every bit. docs/python.md goes through it.

Lengths are metres, masses kilograms, times seconds. Warnings go to the logger "weft".
"""
from ._cloth import Body, Cache, Cloth, Collider, Fabric, Mesh, fabrics
from ._native import Error, OutOfMemory
from ._solver import Batch, Scene, Solver

__all__ = ["Batch", "Body", "Cache", "Cloth", "Collider", "Error", "Fabric", "Mesh", "OutOfMemory", "Scene", "Solver", "fabrics"]
