"""Tensors whose axes stand in any order, and the operations on them that importers of
graphs share: convolutions, pools, norms, attention, views.

An importer has a Maker: the program under construction, and how what is known before
a call becomes an operand.
"""
