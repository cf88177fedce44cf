"""harness/browser.py: which browser is taken, and when a launch is refused beforehand. No real browser is started."""

import sys
from pathlib import Path

import pytest

from harness import browser
from harness.browser import Browser, NoSandbox, check_launch, find_browser, launch_args, sandbox_wanted
from harness.errors import EnvironmentFault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


def stand_in(path: Path, says: str, code: int = 0) -> Path:
    """An executable that prints `says` and exits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nprintf '%s\\n' '{says}'\nexit {code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_named_browser_comes_first(tmp_path: Path) -> None:
    """RIG_BROWSER wins over what is on the PATH."""
    named = stand_in(tmp_path / "mine", "Chromium 1.2.3")
    stand_in(tmp_path / "bin" / "chromium", "Chromium 9.9.9")
    found = find_browser(environ={"RIG_BROWSER": str(named), "PATH": str(tmp_path / "bin")})
    assert (found.path, found.source, found.version) == (named, "RIG_BROWSER", "Chromium 1.2.3")


def test_playwrights_own_browser_comes_before_the_path(tmp_path: Path) -> None:
    """The build that Playwright downloaded for itself is preferred to the system's."""
    revision = browser._playwright_revision()
    assert revision is not None
    own = tmp_path / f"chromium_headless_shell-{revision}" / "chrome-linux" / "headless_shell"
    stand_in(own, "Chromium 2.0.0")
    stand_in(tmp_path / "bin" / "chromium", "Chromium 9.9.9")
    env = {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "PATH": str(tmp_path / "bin")}
    found = find_browser(environ=env)
    assert (found.path, found.source, found.headless_shell) == (own, "playwright", True)


def test_on_the_path_the_headless_shell_comes_first(tmp_path: Path) -> None:
    """chromium-headless-shell is preferred to chromium and google-chrome."""
    for name in ("google-chrome", "chromium", "chromium-headless-shell"):
        stand_in(tmp_path / name, "Chromium 3.0.0")
    found = find_browser(environ={"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")})
    assert (found.path.name, found.source, found.headless_shell) == ("chromium-headless-shell", "path", True)


def test_to_be_watched_a_headless_shell_is_passed_over(tmp_path: Path) -> None:
    """Playwright's own and the system's alike; the one that is named is taken as it is, and without any other it is said."""
    revision = browser._playwright_revision()
    shell = tmp_path / f"chromium_headless_shell-{revision}" / "chrome-linux" / "headless_shell"
    stand_in(shell, "Chromium 2.0.0")
    stand_in(tmp_path / "bin" / "chromium-headless-shell", "Chromium 3.0.0")
    env = {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "PATH": str(tmp_path / "bin")}
    with pytest.raises(
        EnvironmentFault, match=r"no Chromium that shows windows found; mend: apt-get install chromium, or"
    ):
        find_browser(environ=env, windows=True)
    whole = stand_in(tmp_path / "bin" / "chromium", "Chromium 3.0.0")
    assert (find_browser(environ=env, windows=True).path, find_browser(environ=env).path) == (whole, shell)
    own = stand_in(tmp_path / f"chromium-{revision}" / "chrome-linux" / "chrome", "Chromium 2.0.0")
    assert find_browser(environ=env, windows=True).path == own
    assert find_browser(environ={**env, "RIG_BROWSER": str(shell)}, windows=True).headless_shell


def test_no_browser_is_one_line_with_the_command_that_mends_it(tmp_path: Path) -> None:
    """Without any browser the message says how to get one."""
    with pytest.raises(EnvironmentFault, match=r"no Chromium found; mend: .*chromium-headless-shell"):
        find_browser(environ={"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)})


@pytest.mark.parametrize(("says", "code"), [("Mozilla Firefox 130.0", 0), ("Chromium 1.2.3", 1), ("", 0)])
def test_what_is_no_chromium_is_refused(tmp_path: Path, says: str, code: int) -> None:
    """A program that does not answer as a Chromium does is refused with its words."""
    named = stand_in(tmp_path / "mine", says, code)
    with pytest.raises(EnvironmentFault, match=r"did not name a Chromium"):
        find_browser(environ={"RIG_BROWSER": str(named)})


def test_the_sandbox_as_root_is_refused_before_anything_starts() -> None:
    """Root with the sandbox on would hang until a timeout, so it is refused at once."""
    with pytest.raises(EnvironmentFault, match=r"does not work as root"):
        sandbox_wanted("on", root=True, works=lambda: True)


def test_the_sandbox_is_on_where_it_works_unless_switched_off() -> None:
    """By default the sandbox is on for an ordinary user where the system allows one; `on` does not ask."""

    def never_asked() -> bool:
        raise AssertionError

    assert sandbox_wanted("auto", root=False, works=lambda: True)
    assert not sandbox_wanted("auto", root=False, works=lambda: False)
    assert sandbox_wanted("on", root=False, works=never_asked)
    assert not sandbox_wanted("auto", root=True, works=never_asked)
    assert not sandbox_wanted("off", root=False, works=never_asked)


def test_arguments_switch_the_sandbox_off_only_when_it_is_off() -> None:
    """--no-sandbox stands in the arguments exactly when the sandbox is off; the browser makes no traffic of its own."""
    assert "--no-sandbox" in launch_args(sandbox=False)
    assert "--no-sandbox" not in launch_args(sandbox=True)
    assert "--disable-background-networking" in launch_args(sandbox=True)


def test_a_browser_without_a_usable_sandbox_is_named_with_its_mending(tmp_path: Path) -> None:
    """A launch that fails for want of a sandbox says what would make one usable."""
    path = tmp_path / "chromium"
    path.write_text(
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'Chromium 1.2.3'; exit 0; }\n"
        "echo 'FATAL: No usable sandbox!' >&2\nexit 1\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    wanting = Browser(path=path, source="path", version="Chromium 1.2.3", headless_shell=False, sandbox=True)
    with pytest.raises(NoSandbox, match=r"no usable sandbox; mend: .*RIG_BROWSER_SANDBOX=off"):
        check_launch(wanting)
    assert not browser._sandbox_works(wanting)
