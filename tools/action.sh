#!/usr/bin/env bash
# The step of action.yml: install geceval, compare the scores with the thresholds, and write checks and verdict in Markdown.
# The exit status is that of geceval gate.
set -uo pipefail
summary="$RUNNER_TEMP/geceval.md"
python -m venv "$RUNNER_TEMP/geceval"
bin="$RUNNER_TEMP/geceval/bin"
[ -d "$bin" ] || bin="$RUNNER_TEMP/geceval/Scripts" # Windows
"$bin/python" -m pip install --quiet --disable-pip-version-check "$PACKAGE" || exit 2

read -ra data <<<"${SOURCE:+--source $SOURCE} ${REFERENCES:+--references $REFERENCES} ${GOLD:+--gold $GOLD} $OPTIONS"
read -ra metrics <<<"$METRICS"
read -ra thresholds <<<"${FAIL_UNDER:+--fail-under $FAIL_UNDER} ${FAIL_OVER:+--fail-over $FAIL_OVER}"
[ -z "$NOT_WORSE_THAN" ] || thresholds+=(--not-worse-than "$NOT_WORSE_THAN" --metrics "${metrics[@]}")

"$bin/geceval" gate "${data[@]}" --systems "$SYSTEM" "${thresholds[@]}" --format github --summary "$summary"
status=$?
if [ "$status" -le 1 ] && [ -n "$NOT_WORSE_THAN" ]; then
    echo >>"$summary"
    "$bin/geceval" compare "${data[@]}" --systems "$NOT_WORSE_THAN" "$SYSTEM" --metrics "${metrics[@]}" --quiet \
        --format markdown >>"$summary"
fi
if [ -s "$summary" ]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    echo "summary=$summary" >>"$GITHUB_OUTPUT"
fi
exit "$status"
