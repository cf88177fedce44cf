"""Secrets of people: passwords, tokens, comparisons in constant time."""

import hashlib
import hmac
import secrets

_WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "jetty",
    "larch",
    "maple",
    "otter",
    "pearl",
    "quill",
    "ridge",
]


def new_password() -> str:
    """A password a person could type."""
    return "-".join(secrets.choice(_WORDS) for _ in range(3)) + f"-{secrets.randbelow(9000) + 1000}"


def hash_password(password: str) -> str:
    """scrypt with a fresh salt, as "salt$hash" in hex."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}${_scrypt(password, salt).hex()}"


def password_matches(password: str, stored: str) -> bool:
    """True if the password gives the stored hash."""
    salt, _, digest = stored.partition("$")
    return hmac.compare_digest(_scrypt(password, bytes.fromhex(salt)).hex(), digest)


def same(given: str, right: str) -> bool:
    """True if the texts are equal; takes equally long for every wrong one of a length."""
    return hmac.compare_digest(given.encode(), right.encode())


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**12, r=8, p=1)
