#!/usr/bin/env bash
# One scheduled run: plays, scores, reports. Arguments go to `rig run`; the run's id is the day's, so that a second start on
# the same day goes on with it. Standard error ends with one line; exit code: that of the run if it is not 0, else of scoring.
#   RIG_RUN        another id        RIG_COMMAND    another rig than .venv/bin/rig
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cd ..

rig=${RIG_COMMAND:-.venv/bin/rig}
run=${RIG_RUN:-nightly-$(date -u +%Y%m%d)}
outcome=$(mktemp)
trap 'rm -f "$outcome"' EXIT

played=0
"$rig" run --run "$run" --json "$@" >"$outcome" || played=$?
if ! [ -s "$outcome" ]; then # refused, wrong input, another run at work, or stopped: rig has said why
  echo "nightly: $run: no result (exit $played), nothing was scored" >&2
  exit "$played"
fi
scored=0
"$rig" score "$run" --json >/dev/null || scored=$?
reported=0
"$rig" report "$run" || reported=$?

code=$played
[ "$code" -ne 0 ] || code=$scored
[ "$code" -ne 0 ] || code=$reported
echo "nightly: $run: played (exit $played), scored (exit $scored), reported (exit $reported)" >&2
exit "$code"
