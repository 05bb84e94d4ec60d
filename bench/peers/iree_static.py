"""IREE with static types."""

from peers import iree


def Peer(threads, fresh):
    return iree.Peer(threads, fresh, "static")
