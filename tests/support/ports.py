"""Ports of this machine that nobody listens on now."""

import socket

STACK = ("RIG_PRODUCT_PORT", "RIG_MONGODB_PORT", "RIG_S3_PORT")


def free_ports(count: int) -> list[int]:
    """So many, all different."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(s.getsockname()[1]) for s in held]
    for s in held:
        s.close()
    return ports


def stack_ports() -> dict[str, str]:
    """Settings that put a local stack of one's own on such ports."""
    return dict(zip(STACK, map(str, free_ports(len(STACK))), strict=True))
