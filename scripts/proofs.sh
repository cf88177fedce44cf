#!/usr/bin/env bash
# The short forms of the long proofs: each defect of the claims product through the page once, a kill of each part, a full disk, a
# clock that jumps, the way to every page that OCR reads. Sets up what is missing, as scripts/test.sh does. Arguments go to
# pytest. Can be repeated.
# The long forms: rig calibrate --full, scripts/kill_test, scripts/fuzz, pytest -m proof.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib/setup.sh
. scripts/lib/setup.sh

setup_all
exec .venv/bin/pytest -n 2 --dist loadfile -m "short_proof and not proof and not live" "$@"
