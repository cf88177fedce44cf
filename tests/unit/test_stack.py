"""harness/stack.py: the local stack comes up whole, is used, shared and taken down, and touches nothing else."""

import socket
import stat
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest

from harness import stack
from harness.config import Config, Endpoint, read_config
from harness.errors import EnvironmentFault, InputError
from harness.progress import Quiet
from tests.support.ports import free_ports


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment of its own: folders below a temporary one, free ports."""
    names = ("RIG_PRODUCT_PORT", "RIG_MONGODB_PORT", "RIG_S3_PORT", "RIG_MODEL_PORT")
    ports = dict(zip(names, map(str, free_ports(4)), strict=True))
    return {"RIG_STATE_DIR": str(tmp_path / "state"), "RIG_CACHE_DIR": str(tmp_path / "cache"), **ports}


@pytest.fixture
def config(env: dict[str, str]) -> Iterator[Config]:
    """The environment, read; whatever was started in it is taken down afterwards."""
    read = read_config(env)
    yield read
    stack.down(read)


STAND_IN = """
import http.server, json, sys
port, runtime = int(sys.argv[2]), sys.argv[4]
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"runtime": runtime}).encode())
http.server.ThreadingHTTPServer(("127.0.0.1", port), Answer).serve_forever()
"""
STAND_IN_PRODUCT = (sys.executable, "-c", STAND_IN)
"""A product that answers the runtime report and nothing else; starts quickly."""


@pytest.fixture
def light(env: dict[str, str]) -> Iterator[Config]:
    """A configured object store (never asked), so that only MongoDB and a product are started; taken down afterwards."""
    s3 = {"RIG_S3_ENDPOINT": "http://127.0.0.1:9", "RIG_S3_ACCESS_KEY": "a", "RIG_S3_SECRET_KEY": "b"}
    read = read_config(env | s3)
    yield read
    stack.down(read)


def stack_file(config: Config) -> Path:
    """`stack.json`."""
    return config.state_dir / "stack.json"


def test_without_a_stack_there_is_nothing_to_connect_to_or_take_down(config: Config) -> None:
    """No stack: the status says so, down does nothing, and a connection is refused with the command that starts one."""
    assert not stack.status(config).running
    assert stack.down(config) == []
    with pytest.raises(EnvironmentFault, match=r"no local stack is running; .*rig stack up"):
        stack.connection(config)


def test_a_taken_port_stops_the_start_before_anything_runs(config: Config) -> None:
    """A busy port is one line, and no part was started."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", config.ports.s3))
        holder.listen()
        with pytest.raises(EnvironmentFault, match=rf"^port {config.ports.s3} for S3 .*is taken.*RIG_S3_PORT$"):
            stack.up("controlled", config=config, progress=Quiet())
    assert not stack_file(config).exists()


def test_a_stack_file_that_makes_no_sense_is_not_trusted(config: Config) -> None:
    """Nothing is ended on the word of a file that cannot be understood."""
    config.state_dir.mkdir(parents=True)
    stack_file(config).write_text('{"parts": {"s3": {"pid": 1}}}', encoding="utf-8")
    with pytest.raises(EnvironmentFault, match=r"stack\.json cannot be understood"):
        stack.down(config)
    stack_file(config).unlink()


def test_the_model_runtime_with_half_an_endpoint_is_refused(env: dict[str, str]) -> None:
    """An address without a model is told before anything is fetched or started."""
    config = read_config(env | {"RIG_PRODUCT_BASE_URL": "http://127.0.0.1:9/v1"})
    with pytest.raises(InputError, match=r"^RIG_PRODUCT_MODEL: "):
        stack.up("model", config=config, progress=Quiet())


def test_configured_endpoints_need_no_local_model(env: dict[str, str]) -> None:
    """With an endpoint for every role, a run without product starts nothing and gets the endpoints."""
    names = {f"RIG_{role}_MODEL": "m" for role in ("CUSTOMER", "PRODUCT", "JUDGE")}
    config = read_config(env | names | {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"})
    with stack.for_run(None, with_model=True, config=config, progress=Quiet()) as connection:
        assert connection.customer is not None and connection.customer.state == "configured"
        assert connection.base_url is None
    assert not stack_file(config).exists()


@pytest.mark.stack
def test_up_brings_every_part_and_down_leaves_nothing(config: Config) -> None:
    """After up each part answers and secrets are for the owner only; up again changes nothing; after down all is gone."""
    status = stack.up("controlled", config=config, progress=Quiet())
    assert status.running and status.runtime == "controlled" and status.base_url
    alive = {part.name: part.alive for part in status.parts}
    assert alive == {"mongodb": True, "s3": True, "model": None, "product": True}
    report = httpx.get(f"{status.base_url}/rig/runtime", timeout=30, trust_env=False)
    assert report.json()["runtime"] == "controlled"
    if sys.platform != "win32":
        assert stat.S_IMODE(stack_file(config).stat().st_mode) == 0o600
    connection = stack.connection(config)
    assert connection.base_url == status.base_url and connection.seed_token
    assert (connection.mongodb_state, connection.s3_state, connection.customer) == ("embedded", "embedded", None)
    assert connection.seed_token not in repr(connection)
    pids = {part.name: part.pid for part in status.parts}
    for pid in filter(None, pids.values()):
        line = " ".join(psutil.Process(pid).cmdline())
        assert connection.seed_token not in line and connection.staff_password not in line
    again = stack.up("controlled", config=config, progress=Quiet())
    assert {part.name: part.pid for part in again.parts} == pids
    with stack.for_run("controlled", config=config, progress=Quiet()) as used:
        assert used.seed_token == connection.seed_token
    assert stack.status(config).running, "a run takes down only what was started for runs"
    assert len(stack.down(config)) == 3
    assert not stack_file(config).exists()
    assert not any(psutil.pid_exists(pid) for pid in pids.values() if pid)
    assert not (config.state_dir / "data").exists()


@pytest.mark.stack
def test_a_running_stack_is_not_passed_off_as_another(light: Config) -> None:
    """Another runtime or other settings than asked for are refused by name, and the stack runs on."""
    stack.up("controlled", config=light, progress=Quiet(), product=STAND_IN_PRODUCT)
    endpoint = Endpoint("http://127.0.0.1:9/v1", "m", "k")
    with pytest.raises(EnvironmentFault, match=r"controlled runtime is running, model was asked for"):
        stack.up("model", config=replace(light, endpoints={"product": endpoint}), progress=Quiet())
    with pytest.raises(EnvironmentFault, match=r"another value of RIG_MONGODB_URI; end it with: rig stack down"):
        stack.up("controlled", config=replace(light, mongodb_uri="mongodb://127.0.0.1:9"), progress=Quiet())
    assert stack.status(light).running


@pytest.mark.stack
def test_runs_share_a_stack_and_the_last_takes_it_down(light: Config) -> None:
    """Two runs at once, started at the same time, use one stack; it goes with the last of them."""
    connections: list[stack.StackConnection] = []
    entered, first_may_leave = threading.Barrier(2, timeout=300), threading.Event()

    def run(wait: bool) -> None:
        with stack.for_run("controlled", config=light, progress=Quiet(), product=STAND_IN_PRODUCT) as connection:
            connections.append(connection)
            entered.wait()
            if wait:
                first_may_leave.wait(timeout=300)
                assert stack.status(light).running

    threads = [threading.Thread(target=run, args=(wait,)) for wait in (True, False)]
    for thread in threads:
        thread.start()
    threads[1].join(timeout=300)
    first_may_leave.set()
    threads[0].join(timeout=300)
    assert len(connections) == 2 and connections[0] == connections[1]
    assert not stack.status(light).running and not stack_file(light).exists()


@pytest.mark.stack
def test_a_stack_with_a_dead_part_is_cleaned_and_started_afresh(light: Config) -> None:
    """After a part died the next up ends what is left and brings a whole stack."""
    before = stack.up("controlled", config=light, progress=Quiet(), product=STAND_IN_PRODUCT)
    victim = next(part.pid for part in before.parts if part.name == "mongodb")
    assert victim is not None
    process = psutil.Process(victim)
    process.kill()
    process.wait(timeout=60)
    assert not stack.status(light).running
    after = stack.up("controlled", config=light, progress=Quiet(), product=STAND_IN_PRODUCT)
    assert after.running
    assert not {p.pid for p in before.parts if p.pid} & {p.pid for p in after.parts if p.pid}


@pytest.mark.stack
def test_a_part_that_does_not_start_leaves_nothing_behind(light: Config) -> None:
    """A part that ends at once is told with its last words, and the parts before it are ended again."""
    broken = (sys.executable, "-c", "raise SystemExit('out of paint')")
    with pytest.raises(EnvironmentFault, match=r"reference product ended at once: out of paint"):
        stack.up("controlled", config=light, progress=Quiet(), product=broken)
    assert not stack_file(light).exists()
    assert not list(light.state_dir.glob("data"))


@pytest.mark.stack
def test_configured_stores_are_used_instead_of_embedded_ones(light: Config) -> None:
    """With RIG_MONGODB_URI and RIG_S3_* set no embedded store starts, and the product is told the configured ones."""
    config = replace(light, mongodb_uri="mongodb://u:hush@127.0.0.1:9/x?y=z")
    teller = (sys.executable, "-c", "import os; print(os.environ['RIG_MONGODB_URI'], flush=True)\n" + STAND_IN)
    status = stack.up("controlled", config=config, progress=Quiet(), product=teller)
    parts = {part.name: part for part in status.parts}
    assert (parts["mongodb"].state, parts["mongodb"].address) == ("configured", "mongodb://127.0.0.1:9/x")
    assert (parts["s3"].state, parts["s3"].pid) == ("configured", None)
    connection = stack.connection(config)
    assert (connection.mongodb_state, connection.s3_state) == ("configured", "configured")
    assert parts["product"].log is not None
    assert config.mongodb_uri == parts["product"].log.read_text(encoding="utf-8").splitlines()[0]
