"""Which Chromium drives the journeys, and with which arguments.

Order of trial: `RIG_BROWSER`, the browser Playwright itself downloaded, then `chromium-headless-shell`, `chromium` and
`google-chrome` on the PATH; where a person wants to watch, the first of them that is no headless shell. Chromium's sandbox
does not work for root: with it on, a launch hangs until its timeout, so that case is refused before anything starts. An
ordinary user gets the sandbox where the system allows one; the record says which it was. Nothing here imports or starts
Playwright.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from harness.config import Config, Sandbox, read_config
from harness.errors import EnvironmentFault, RigError

VERSION_TIMEOUT_S = 20.0
LAUNCH_TIMEOUT_S = 60.0
PATH_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MEND_BROWSER = "apt-get install chromium-headless-shell, or: python -m playwright install chromium-headless-shell"
MEND_WHOLE = "apt-get install chromium, or: python -m playwright install chromium"
MEND_SANDBOX = (
    "let unprivileged users make namespaces (Ubuntu: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0), "
    "or set RIG_BROWSER_SANDBOX=off"
)
QUIET_ARGS = (
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
"""No traffic of the browser's own."""
ROOT_ARGS = ("--no-sandbox", "--disable-gpu")

BrowserSource = Literal["RIG_BROWSER", "playwright", "path"]
_PLAYWRIGHT_EXECUTABLES = (
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-linux/headless_shell",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "chrome-headless-shell-mac-x64/chrome-headless-shell",
    "chrome-mac/headless_shell",
    "chrome-headless-shell-win64/chrome-headless-shell.exe",
    "chrome-win/headless_shell.exe",
    "chrome-linux64/chrome",
    "chrome-linux/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-win64/chrome.exe",
    "chrome-win/chrome.exe",
)


@dataclass(frozen=True)
class Browser:
    """A Chromium that answered to `--version`."""

    path: Path
    source: BrowserSource
    version: str
    """For instance `Chromium 140.0.7339.80`."""
    headless_shell: bool
    """A build without windows; it is headless whatever it is told."""
    sandbox: bool
    """Whether it will be launched with its sandbox on."""


def is_root() -> bool:
    """Whether the process runs as uid 0; never on Windows."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def has_display(environ: Mapping[str, str]) -> bool:
    """Windows can be shown; asked of Linux only, where a session may have none."""
    return not sys.platform.startswith("linux") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


class NoSandbox(EnvironmentFault):
    """The system lets the browser make no sandbox."""


def sandbox_wanted(setting: Sandbox, root: bool, works: Callable[[], bool]) -> bool:
    """Whether the sandbox is on: always with `on`, never with `off`, with `auto` where it works.

    Raises:
        EnvironmentFault: it was asked for as root, where a launch would hang.
    """
    if setting == "on" and root:
        raise EnvironmentFault(
            "RIG_BROWSER_SANDBOX=on, but Chromium's sandbox does not work as root: run as an ordinary user, "
            "or unset RIG_BROWSER_SANDBOX"
        )
    return setting == "on" or (setting == "auto" and not root and works())


def launch_args(sandbox: bool, hosts: Collection[str] | None = None) -> list[str]:
    """Command-line arguments for Chromium. Playwright's own `chromium_sandbox` must be set to the same value.

    Args:
        hosts: the only host names that the browser may find; None: any. It holds for what no request handler sees, too:
            web sockets, look-ups, and what Chromium asks for by itself.
    """
    only = [] if hosts is None else ["--host-resolver-rules=MAP * ~NOTFOUND" + "".join(f", EXCLUDE {h}" for h in hosts)]
    return [*([] if sandbox else ROOT_ARGS), *QUIET_ARGS, *only]


def playwright_folder(env: Mapping[str, str]) -> Path:
    """Where Playwright keeps the browsers it downloaded."""
    named = env.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named and named != "0":
        return Path(named)
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))) / "ms-playwright"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    return Path(env.get("XDG_CACHE_HOME", "") or Path.home() / ".cache") / "ms-playwright"


def _playwright_revision() -> str | None:
    """The Chromium revision the installed Playwright was built for; None if its list cannot be read."""
    for entry in sys.path:
        listing = Path(entry) / "playwright" / "driver" / "package" / "browsers.json"
        if listing.is_file():
            try:
                browsers = json.loads(listing.read_text(encoding="utf-8"))["browsers"]
                return next(str(b["revision"]) for b in browsers if b["name"] == "chromium-headless-shell")
            except (ValueError, KeyError, TypeError, StopIteration):
                return None
    return None


def _is_shell(path: Path | str) -> bool:
    return "headless" in Path(path).name


def playwright_browser(env: Mapping[str, str], windows: bool) -> Path | None:
    """The Chromium that the installed Playwright downloaded for itself; with `windows`, only one that shows windows."""
    revision = _playwright_revision()
    if revision is None:
        return None
    folder = playwright_folder(env)
    for name in (f"chromium_headless_shell-{revision}", f"chromium-{revision}"):
        for executable in _PLAYWRIGHT_EXECUTABLES:
            if (folder / name / executable).is_file() and not (windows and _is_shell(executable)):
                return folder / name / executable
    return None


def browser_version(path: Path) -> str:
    """What `PATH --version` prints.

    Raises:
        EnvironmentFault: it does not start, says nothing, or is no Chromium.
    """
    try:
        done = subprocess.run(
            [str(path), "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=VERSION_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as exc:
        raise EnvironmentFault(f"{path} --version did not answer in {VERSION_TIMEOUT_S:.0f} s") from exc
    except OSError as exc:
        raise EnvironmentFault(f"{path} does not start: {exc.strerror}") from exc
    found = re.search(r"^.*(?:Chrom|chrome|headless).*?(\d+(?:\.\d+)+).*$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or found is None:
        said = " ".join((done.stdout + " " + done.stderr).split())[:160]
        raise EnvironmentFault(f"{path} --version did not name a Chromium (exit {done.returncode}): {said}")
    return found.group(0).strip()


def _locate(config: Config, env: Mapping[str, str], windows: bool) -> tuple[Path, BrowserSource]:
    if config.browser is not None:
        return config.browser, "RIG_BROWSER"
    own = playwright_browser(env, windows)
    if own is not None:
        return own, "playwright"
    for name in PATH_NAMES:
        found = shutil.which(name, path=env.get("PATH"))
        if found and not (windows and _is_shell(name)):
            return Path(found), "path"
    if windows:
        raise EnvironmentFault(f"no Chromium that shows windows found; mend: {MEND_WHOLE}")
    raise EnvironmentFault(f"no Chromium found; mend: {MEND_BROWSER}")


def find_browser(
    config: Config | None = None, environ: Mapping[str, str] | None = None, windows: bool = False
) -> Browser:
    """The browser to use. It answered to `--version` just now; with `auto`, its sandbox was tried.

    Args:
        windows: one that can show windows, whatever else is found first; the one of `RIG_BROWSER` is taken as it is.

    Raises:
        EnvironmentFault: none is there, it does not start, or the sandbox was asked for as root.
        InputError: `RIG_BROWSER` or `RIG_BROWSER_SANDBOX` has a value that cannot be used.
    """
    env = os.environ if environ is None else environ
    config = config or read_config(env)
    sandbox_wanted(config.sandbox, is_root(), lambda: True)  # refused before anything starts
    path, source = _locate(config, env, windows)
    version = browser_version(path)
    browser = Browser(path=path, source=source, version=version, headless_shell=_is_shell(path), sandbox=True)
    return replace(browser, sandbox=sandbox_wanted(config.sandbox, is_root(), lambda: _sandbox_works(browser)))


def _sandbox_works(browser: Browser) -> bool:
    """False only if a launch fails for want of a sandbox; any other failure is for the real launch to tell."""
    try:
        check_launch(browser)
    except NoSandbox:
        return False
    except EnvironmentFault:
        return True
    return True


def check_launch(browser: Browser) -> None:
    """Launches the browser on an empty page and lets it end. Afterwards it is known to start here.

    Raises:
        NoSandbox: it finds no usable sandbox; the message says how to mend that.
        EnvironmentFault: it showed no page in time.
    """
    with tempfile.TemporaryDirectory(prefix="rig-browser-", ignore_cleanup_errors=True) as profile:
        command = [str(browser.path), "--headless", *launch_args(browser.sandbox), f"--user-data-dir={profile}"]
        try:
            done = subprocess.run(
                [*command, "--dump-dom", "data:text/html,<p>ready</p>"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LAUNCH_TIMEOUT_S,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise EnvironmentFault(f"{browser.path} showed no page in {LAUNCH_TIMEOUT_S:.0f} s") from exc
        except OSError as exc:
            raise EnvironmentFault(f"{browser.path} does not start: {exc.strerror}") from exc
    if "<p>ready</p>" in done.stdout:
        return
    if "sandbox" in done.stderr.lower():
        raise NoSandbox(f"{browser.path} finds no usable sandbox; mend: {MEND_SANDBOX}")
    said = " ".join(done.stderr.split())[-160:]
    raise EnvironmentFault(f"{browser.path} showed no page (exit {done.returncode}): {said}")


def main() -> int:
    """Prints the browser that would be used; exit 4 and one line on standard error if there is none."""
    try:
        browser = find_browser()
    except RigError as exc:
        sys.stderr.write(f"{exc}\n")
        return exc.exit_code
    sys.stdout.write(f"{browser.path} {browser.version}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
