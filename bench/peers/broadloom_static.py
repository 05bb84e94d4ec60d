"""Broadloom with static types: what `?` costs."""

from peers import broadloom


def Peer(threads, fresh):
    return broadloom.Peer(threads, fresh, "static")
