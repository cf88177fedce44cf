# shellcheck shell=bash
# What demo.sh, test.sh and start-dev.sh share: makes the machine ready, says what it does, and does nothing twice.
# Sourced with the repository as working folder. Needs bash, and on a bare machine apt.

readonly VENV=.venv
readonly TOOLS=.venv-tools

say() { printf '\n== %s\n' "$*" >&2; }
die() {
  printf '%s\n' "$*" >&2
  exit 4
}

# as_root CMD…: runs it with the rights to install system packages, or says the command and stops.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo "$@"
  else
    return 126
  fi
}

apt_ready=
# apt_install PACKAGE…: installs system packages without asking anything. Not possible here: says how, returns 1.
apt_install() {
  if ! command -v apt-get >/dev/null 2>&1; then
    printf 'No apt-get here. Please install what corresponds to: %s\n' "$*" >&2
    return 1
  fi
  local options=(-qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  if [ -z "$apt_ready" ]; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" update >&2 || true
    apt_ready=1
  fi
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends "$@" >&2; then
    printf 'System packages are missing. Please run: apt-get install %s\n' "$*" >&2
    return 1
  fi
}

# apt_offers PACKAGE: apt can install it, and it is not a stand-in that only points to a snap.
apt_offers() {
  command -v apt-cache >/dev/null 2>&1 || return 1
  local candidate
  candidate=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ {print $2}')
  case "$candidate" in "" | "(none)" | *snap*) return 1 ;; esac
  ! LC_ALL=C apt-cache show "$1" 2>/dev/null | grep -qiE '^(Pre-)?Depends:.*snapd'
}

# find_python: sets PYTHON to an interpreter of version 3.11 or later.
find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      PYTHON=$("$name" -c 'import sys; print(sys.executable)')
      return 0
    fi
  done
  return 1
}

ensure_python() {
  find_python && return 0
  say "Installing Python (system package)"
  apt_install python3 python3-venv || die "Python 3.11 or later is needed."
  find_python || die "Python 3.11 or later is needed; the system's python3 is older. Install one and run this again."
}

# trusting CMD…: runs uv or pip so that it trusts the certificates that the system trusts, unless told otherwise.
trusting() {
  local bundle=/etc/ssl/certs/ca-certificates.crt
  if [ -r "$bundle" ]; then
    SSL_CERT_FILE=${SSL_CERT_FILE:-$bundle} REQUESTS_CA_BUNDLE=${REQUESTS_CA_BUNDLE:-$bundle} "$@"
  else
    "$@"
  fi
}

# ensure_uv: sets UV to a uv that works: the one on the PATH, or a pinned one in a private environment.
ensure_uv() {
  if command -v uv >/dev/null 2>&1 && uv --version >/dev/null 2>&1; then
    UV=uv
    return 0
  fi
  UV=$TOOLS/bin/uv
  if [ -x "$UV" ] && "$UV" --version >/dev/null 2>&1 && cmp -s scripts/lib/uv.txt "$TOOLS/uv.txt"; then
    return 0
  fi
  say "Installing uv, pinned, into $TOOLS"
  rm -rf "$TOOLS"
  if ! "$PYTHON" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    apt_install python3-venv || die "The venv module of $PYTHON is needed."
  fi
  "$PYTHON" -m venv "$TOOLS" || die "$PYTHON cannot make an environment in $TOOLS."
  trusting "$TOOLS/bin/python" -m pip --disable-pip-version-check --quiet install --only-binary=:all: --require-hashes \
    -r scripts/lib/uv.txt || die "uv could not be installed with pip; see above."
  cp scripts/lib/uv.txt "$TOOLS/uv.txt"
}

# ensure_venv: .venv holds exactly what requirements.lock says, and the project itself, editable.
ensure_venv() {
  local stamp=$VENV/.lock-stamp now
  now=$(cat requirements.lock pyproject.toml | sha256sum)
  if [ -x "$VENV/bin/python" ] && "$VENV/bin/python" -c '' 2>/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then
    return 0
  fi
  say "Making the locked environment in $VENV (some 130 packages; minutes the first time, then cached)"
  if ! [ -x "$VENV/bin/python" ] || ! "$VENV/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    rm -rf "$VENV"
    trusting "$UV" venv --quiet --python "$PYTHON" "$VENV" || die "uv could not make $VENV; see above."
  fi
  rm -f "$stamp"
  trusting "$UV" pip sync --quiet --compile-bytecode --python "$VENV/bin/python" --require-hashes requirements.lock \
    || die "The locked packages could not be installed; see above. Run this again when the network is back."
  trusting "$UV" pip install --quiet --python "$VENV/bin/python" --no-deps --no-build-isolation -e . \
    || die "The project could not be installed into $VENV; see above."
  printf '%s\n' "$now" >"$stamp"
}

# ensure_browser: the rig finds a Chromium that answers.
ensure_browser() {
  "$VENV/bin/python" -m harness.browser >/dev/null 2>&1 && return 0
  if [ -n "${RIG_BROWSER:-}" ]; then
    "$VENV/bin/python" -m harness.browser || die "RIG_BROWSER does not name a browser that works."
  fi
  say "Installing a browser (Chromium without windows)"
  if command -v apt-get >/dev/null 2>&1 && [ -z "$apt_ready" ]; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 update >&2 || true
    apt_ready=1
  fi
  if apt_offers chromium-headless-shell; then
    apt_install chromium-headless-shell || true
  elif apt_offers chromium; then
    apt_install chromium || true
  else
    "$VENV/bin/python" -m playwright install --with-deps chromium-headless-shell >&2 || true
  fi
  "$VENV/bin/python" -m harness.browser >/dev/null || die "No browser could be installed. Install Chromium, or name one in RIG_BROWSER."
}

# ensure_fonts: text on screenshots is legible, Chinese included. Going on without is possible.
ensure_fonts() {
  if command -v fc-list >/dev/null 2>&1 && [ -n "$(fc-list :lang=zh family 2>/dev/null)" ]; then
    return 0
  fi
  say "Installing fonts"
  apt_install fontconfig fonts-noto-cjk || printf 'Going on without fonts for Chinese.\n' >&2
}

# ensure_ocr: tesseract reads pictures in English and Chinese; only tests need it. Going on without is possible.
ensure_ocr() {
  local there
  there=$(tesseract --list-langs 2>/dev/null) || there=
  if grep -qx eng <<<"$there" && grep -qx chi_sim <<<"$there"; then
    return 0
  fi
  say "Installing tesseract, for the tests that read pictures"
  apt_install tesseract-ocr tesseract-ocr-chi-sim || printf 'Going on without tesseract; its tests are skipped.\n' >&2
}

# setup_environment: Python, uv and the locked packages.
setup_environment() {
  ensure_python
  ensure_uv
  ensure_venv
}

# setup_all: all that a journey needs.
setup_all() {
  setup_environment
  ensure_browser
  ensure_fonts
}
