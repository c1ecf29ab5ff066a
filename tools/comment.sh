#!/usr/bin/env bash
# The second step of action.yml: write the verdict to the pull request, in place of the last one on the same files.
# `gh pr comment --edit-last` would replace the last comment of any other action or use of this one.
set -eo pipefail
marker="<!-- geceval $(printf '%s\n' "$SYSTEM" "$SOURCE" "$REFERENCES" "$GOLD" | cksum | cut -d ' ' -f 1) -->"
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
body="$RUNNER_TEMP/geceval-comment.md"
{ echo "$marker" && cat "$SUMMARY"; } >"$body"
id=$(gh api --paginate "$comments?per_page=100" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$body"
else
    gh api --silent --method POST "$comments" --field "body=@$body"
fi
