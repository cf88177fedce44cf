#!/usr/bin/env bash
# Sets up what is missing, then plays one motor claim from the first sentence to the case number, scores it and writes the
# report: local model on both sides, reference product, real browser. Arguments go to `rig demo`. Can be repeated.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib/setup.sh
. scripts/lib/setup.sh

setup_all
say "Running the demo (the first time also fetches the local model, unless an endpoint is configured)"
exec "$VENV/bin/rig" demo "$@"
