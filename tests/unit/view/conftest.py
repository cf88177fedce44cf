"""A folder of results with a failed journey, and the viewer over it."""

import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

from record_builder import RunBuilder, motor_run

from harness.view.app import view_app
from harness.view.index import Index

PORT = 8899
TOKEN = "token-of-a-test"
HOME = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> RunBuilder:
    """One scored journey in which lines failed, as run `r1`; nobody changes it."""
    return motor_run(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="session")
def indexed(recorded: RunBuilder, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Its index, whole."""
    index = Index(recorded.dir.parent, tmp_path_factory.mktemp("index") / "i.sqlite", again_s=1e9)
    index.update()
    return index


@pytest.fixture
def client(indexed: Index) -> TestClient:
    """A browser that has brought the token."""
    client = TestClient(view_app(indexed, None, TOKEN, PORT), base_url=HOME, follow_redirects=False)
    assert client.get(f"/{TOKEN}/").status_code == 303
    return client
