#!/usr/bin/env bash
# Sets up what is missing, then runs every check and test (no model download). Arguments go to pytest. Can be repeated.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib/setup.sh
. scripts/lib/setup.sh

setup_all
ensure_ocr
exec scripts/check "$@"
