"""How both products read a seed request."""

import pytest

from harness.devstack.inquiry import seed as inquiry
from harness.devstack.rig_access import SeedFault
from harness.devstack.seed import read_seed


@pytest.mark.parametrize("read", [read_seed, inquiry.read_seed])
@pytest.mark.parametrize("raw", [b"[" * 200_000, b'{"a":1,"a":1}', b"nonsense", b"\xff"])
def test_what_is_no_request_is_one_line(read: object, raw: bytes) -> None:
    """Nesting without end, a key twice, no JSON: a fault that says so, never a crash."""
    assert callable(read)
    with pytest.raises(SeedFault) as fault:
        read(raw)
    assert fault.value.status == 422 and "\n" not in str(fault.value)
