"""Import contracts and import bans: each is broken in a copy of the source tree, and the tool says so by name."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from harness.seal import FORBIDDEN_IMPORTS
from tests.seal.catalogue import Row

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
CUSTOMER, SCORING, PRODUCT, RIG = (contract["name"] for contract in CONTRACTS)

PLANTED = {
    "the prompt builder imports scoring": ("harness/customer/prompt.py", "oracle_scoring.corpus.models", CUSTOMER),
    "the conduct imports the seed": ("harness/customer/conduct.py", "harness.seed", CUSTOMER),
    "the guard imports the gate": ("harness/customer/guard.py", "harness.gate", CUSTOMER),
    "the claim ledger imports a model client": ("harness/customer/ledger.py", "openai", CUSTOMER),
    "the screen reader imports the observer": ("harness/screen/reader.py", "harness.observe", CUSTOMER),
    "the adapter imports the setup's models": ("harness/screen/adapter.py", "harness.schema.setup", CUSTOMER),
    "the worker imports a database client": ("harness/worker.py", "pymongo", CUSTOMER),
    "the worker imports the record's reader": ("harness/worker.py", "harness.verify", CUSTOMER),
    "the recorder imports the stager": ("harness/record.py", "harness.stage", CUSTOMER),
    "the network log imports the product's routes": ("harness/netlog.py", "harness.product", CUSTOMER),
    "the visible models import the state read": ("harness/schema/visible.py", "harness.schema.product", CUSTOMER),
    "scoring imports the browser": ("oracle_scoring/record.py", "playwright.sync_api", SCORING),
    "scoring imports the customer": ("oracle_scoring/compare.py", "harness.customer.guard", SCORING),
    "scoring imports the run": ("oracle_scoring/claims/score.py", "harness.run", SCORING),
    "the reference product imports the rig's models": ("harness/devstack/seed.py", "harness.schema.setup", PRODUCT),
    "the reference product imports scoring": ("harness/devstack/service.py", "oracle_scoring.compare", PRODUCT),
    "the observer imports the reference product": ("harness/observe.py", "harness.devstack.app", RIG),
    "the seed imports the reference product": ("harness/seed.py", "harness.devstack.seed", RIG),
}
BANNED = {
    "code loaded with importlib": "import importlib\n\nimportlib.import_module('oracle_scoring')\n",
    "code loaded from importlib": "from importlib import import_module\n\nimport_module('oracle_scoring')\n",
    "code loaded with importlib.util": "import importlib.util\n\nimportlib.util.find_spec('oracle_scoring')\n",
}
UNSEEN = {
    "code loaded with __import__": "__import__('oracle_scoring')\n",
    "code loaded with __import__ under another name": "load = __import__\nload('oracle_scoring')\n",
    "code loaded with builtins.__import__": "import builtins\n\nbuiltins.__import__('oracle_scoring')\n",
    "code loaded out of __builtins__": "__builtins__['__' + 'import__']('oracle_scoring')\n",
    "code loaded by its own loader": "__loader__.load_module('oracle_scoring')\n",
    "code run by file": "import runpy\n\nrunpy.run_module('oracle_scoring')\n",
    "code found with pkgutil": "import pkgutil\n\npkgutil.resolve_name('oracle_scoring.record')\n",
}
"""What the linter does not see; a bare `__import__` cannot be banned there."""
_NAMES = frozenset({"__import__", "__builtins__", "__loader__", "__spec__"})
_LOADERS = frozenset({"importlib", "runpy", "pkgutil", "zipimport", "imp", "builtins"})
ROWS = [
    Row(
        "imports",
        n,
        f"import contract: {PLANTED[n][2]}",
        f"test_imports.py::test_planted_import_breaks_its_contract[{n}]",
    )
    for n in PLANTED
]
ROWS += [
    Row("imports", n, "lint: banned-api", f"test_imports.py::test_imports_that_no_contract_sees_are_banned[{n}]")
    for n in BANNED
]
ROWS += [Row("imports", n, "source scan", f"test_imports.py::test_ways_to_load_code_are_found[{n}]") for n in UNSEEN]


def loads_code(source: str) -> list[str]:
    """Every name in a source by which it could import what no static import names."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Name):
            names = [node.id] if node.id in _NAMES else []
        elif isinstance(node, ast.Attribute):
            names = [node.attr] if node.attr in _NAMES else []
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names if a.name.split(".")[0] in _LOADERS]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module and node.module.split(".")[0] in _LOADERS else []
        found += names
    return found


def copy(into: Path) -> Path:
    """The source tree and its settings, nothing else."""
    for package in ("harness", "oracle_scoring"):
        shutil.copytree(ROOT / package, into / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", into)
    return into


def modules() -> set[str]:
    """The modules and packages that stand directly in the harness."""
    entries = (ROOT / "harness").iterdir()
    return {f"harness.{p.stem}" for p in entries if p.suffix == ".py" or (p / "__init__.py").exists()} - {
        "harness.__init__"
    }


def lint_imports(folder: Path) -> str:
    """What `lint-imports` says of a tree."""
    program = Path(sys.executable).with_name("lint-imports")
    wide = {**os.environ, "COLUMNS": "300"}  # names are not wrapped
    done = subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, timeout=240, env=wide)
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def verdicts(said: str) -> dict[str, str]:
    """Contract -> KEPT or BROKEN."""
    flat = " ".join(said.split())
    return {
        name: found.group(1)
        for name in (CUSTOMER, SCORING, PRODUCT, RIG)
        if (found := re.search(re.escape(name) + r" (KEPT|BROKEN)", flat))
    }


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One tree with all forbidden imports planted, each at the end of its file."""
    tree = copy(tmp_path_factory.mktemp("planted"))
    for file, module, _ in PLANTED.values():
        with (tree / file).open("a", encoding="utf-8") as out:
            out.write(f"\nimport {module}\n")
    return lint_imports(tree)


@pytest.mark.parametrize("name", PLANTED)
def test_planted_import_breaks_its_contract(name: str, planted: str) -> None:
    """The contract meant for it is broken, and the report names the module and the import."""
    file, module, contract = PLANTED[name]
    assert verdicts(planted)[contract] == "BROKEN"
    source = file.removesuffix(".py").replace("/", ".")
    target = module if module.startswith(("harness", "oracle_scoring")) else module.split(".")[0]
    section = planted.split("Broken contracts", 1)[1].split(contract, 1)[1]
    assert re.search(rf"{re.escape(source)} -> {re.escape(target)} \(l\.\d+", section), f"{source} -> {target}"


def test_the_tree_as_it_is_keeps_every_contract(tmp_path: Path) -> None:
    """Without planted imports the same copy passes: what breaks it is what was planted."""
    assert verdicts(lint_imports(copy(tmp_path))) == dict.fromkeys((CUSTOMER, SCORING, PRODUCT, RIG), "KEPT")


@pytest.mark.parametrize("name", BANNED)
def test_imports_that_no_contract_sees_are_banned(name: str, tmp_path: Path) -> None:
    """The linter refuses them with the project's own settings; the import contracts alone would not have seen them."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("harness", "oracle_scoring"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "harness/leaky.py").write_text(BANNED[name], encoding="utf-8")
    program = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [program, "check", "--no-cache", "harness"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "TID251" in done.stdout


@pytest.mark.parametrize("name", UNSEEN)
def test_ways_to_load_code_are_found(name: str) -> None:
    """The scan of the sources names it."""
    assert loads_code(UNSEEN[name])


def test_no_source_loads_code_by_name() -> None:
    """Nothing in the two packages imports what a static import does not name."""
    found = {
        str(p.relative_to(ROOT)): names
        for package in ("harness", "oracle_scoring")
        for p in (ROOT / package).rglob("*.py")
        if (names := loads_code(p.read_text("utf-8")))
    }
    assert found == {}


def test_no_file_asks_to_be_let_off_the_ban() -> None:
    """There is no `noqa` for banned imports anywhere in the two packages."""
    asking = [
        p.name
        for package in ("harness", "oracle_scoring")
        for p in (ROOT / package).rglob("*.py")
        if "TID251" in p.read_text("utf-8")
    ]
    assert asking == []


def test_the_audit_hook_refuses_all_that_the_contract_forbids() -> None:
    """One list, twice: what the customer's side may not import in source, a sealed worker may not import when it runs."""
    forbidden = set(CONTRACTS[0]["forbidden_modules"])
    assert forbidden - set(FORBIDDEN_IMPORTS) == set()


def test_a_new_module_is_decided_about() -> None:
    """Every module of the harness is either on the customer's side, or forbidden to it, or one of the few that both use."""
    both = {
        "harness.browser",
        "harness.config",
        "harness.errors",
        "harness.processes",
        "harness.progress",
        "harness.schema",
    }
    sides = {
        module.rpartition(".")[0] if module.startswith("harness.schema.") else module
        for module in CONTRACTS[0]["source_modules"]
    }
    forbidden = set(CONTRACTS[0]["forbidden_modules"])
    assert modules() - both - sides - forbidden == set()


def test_each_contract_names_every_module_that_it_is_about() -> None:
    """What scoring and the product may not import, and what may not import the product, is all of the harness but the named."""
    by_name = {contract["name"]: contract for contract in CONTRACTS}
    assert modules() - set(by_name[SCORING]["forbidden_modules"]) == {"harness.errors", "harness.schema"}
    assert modules() - set(by_name[PRODUCT]["forbidden_modules"]) == {"harness.devstack"}
    assert modules() - set(by_name[RIG]["source_modules"]) == {"harness.devstack"}
    assert "oracle_scoring" in by_name[RIG]["source_modules"]
