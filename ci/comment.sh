#!/bin/sh
# sh ci/comment.sh FILE: write a finished comparison as a comment of a pull request, in place of the one that is there.
# Nothing of the pull request is read or run: FILE is text, and REPOSITORY and NUMBER come from GitHub's event.
set -eu

marker='<!-- krm-values -->'
longest=60000 # bytes; GitHub takes 65,536 characters
[ "$(head -n 1 "$1")" = "$marker" ] || { echo "error: $1 is not a comparison of ci/compare.py" >&2; exit 1; }
body=$(mktemp)
trap 'rm -f "$body"' EXIT
if [ "$(wc -c <"$1")" -le "$longest" ]; then
    cat "$1" >"$body"
else
    head -c "$longest" "$1" | sed '$d' >"$body" # whole lines
    printf '\nThe rest is left out: see the artifact of the job.\n' >>"$body"
fi
mine=".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$marker\"))) | .id"
id=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" --jq "$mine" | head -n 1)
if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$body"
else
    gh api --silent --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field "body=@$body"
fi
