"""IREE with dynamic types."""

from peers import iree


def Peer(threads, fresh):
    return iree.Peer(threads, fresh, "ones")
