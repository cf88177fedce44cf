#!/usr/bin/env bash
# Sets up what is missing, then starts the local stack and prints its addresses. Arguments go to `rig stack up`, for
# instance --runtime model. It runs until: .venv/bin/rig stack down
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib/setup.sh
. scripts/lib/setup.sh

setup_environment
say "Starting the local stack"
exec "$VENV/bin/rig" stack up "$@"
