#!/usr/bin/env bash
# The step of action.yml: install geceval, compare the scores with the thresholds, and write checks and verdict in Markdown.
# The exit status is that of geceval gate.
summary="$(mktemp -d "$RUNNER_TEMP/geceval-XXXXXX")/geceval.md" # another one for each use of the action in a job
python -m venv "$RUNNER_TEMP/geceval" || exit 2
bin="$RUNNER_TEMP/geceval/bin"
[ -d "$bin" ] || bin="$RUNNER_TEMP/geceval/Scripts" # Windows
if [ -z "$PACKAGE" ]; then # the version of the action, so that a pinned action keeps its numbers
    PACKAGE="geceval==$(sed -n 's/^version = "\(.*\)"/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1)"
fi
"$bin/python" -m pip install --quiet --disable-pip-version-check "$PACKAGE" || exit 2

for name in SYSTEM SOURCE GOLD NOT_WORSE_THAN; do # a block of YAML ends with a line break
    printf -v "$name" %s "${!name%$'\n'}"
done
# Unquoted inputs are lists: they may have several lines and patterns of files, which bash expands.
# shellcheck disable=SC2206
data=(${SOURCE:+--source "$SOURCE"} ${REFERENCES:+--references $REFERENCES} ${GOLD:+--gold "$GOLD"} $OPTIONS)
# shellcheck disable=SC2206
metrics=(${METRICS:+--metrics $METRICS})
# shellcheck disable=SC2206
thresholds=(${FAIL_UNDER:+--fail-under $FAIL_UNDER} ${FAIL_OVER:+--fail-over $FAIL_OVER})
[ -z "$NOT_WORSE_THAN" ] || thresholds+=(--not-worse-than "$NOT_WORSE_THAN" "${metrics[@]}")

"$bin/geceval" gate "${data[@]}" --systems "$SYSTEM" "${thresholds[@]}" --format github --summary "$summary"
status=$?
if [ "$status" -le 1 ] && [ -n "$NOT_WORSE_THAN" ]; then
    echo >>"$summary"
    "$bin/geceval" compare "${data[@]}" --systems "$NOT_WORSE_THAN" "$SYSTEM" "${metrics[@]}" --quiet \
        --format markdown >>"$summary"
fi
if [ -s "$summary" ]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    echo "summary=$summary" >>"$GITHUB_OUTPUT"
fi
exit "$status"
