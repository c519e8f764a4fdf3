#!/usr/bin/env bash
# Dreams over the homes of a repository, on a branch of its own, and opens a pull request with the
# commits of the passes as its diff and their evidence as its text. The action runs it; so can you.
#
# DREAM_HOMES    folders of the homes, one a line (default: .)
# DREAM_STATE    where state is kept between runs
# DREAM_OPTIONS  more options of `toolnexus dream`, one a line
# DREAM_PROPOSE  true: nothing is written; what a pass would do waits for `toolnexus review`
# DREAM_BRANCH   the pull request's branch (default: toolnexus/dream)
# DREAM_TITLE    its title
# DREAM_REMOTE   where it is pushed to (default: origin)
# DREAM_TEXT     the file that gets its text (default: a temporary one)
set -euo pipefail

mapfile -t homes < <(grep -v '^[[:space:]]*$' <<< "${DREAM_HOMES:-.}")
mapfile -t options < <(grep -v '^[[:space:]]*$' <<< "${DREAM_OPTIONS:-}" || true)
branch=${DREAM_BRANCH:-toolnexus/dream}
title=${DREAM_TITLE:-Dream: memory kept true}
remote=${DREAM_REMOTE:-origin}
text=${DREAM_TEXT:-$(mktemp)}
if [[ -n ${DREAM_STATE:-} ]]; then options+=(--state "$DREAM_STATE"); fi
if [[ ${DREAM_PROPOSE:-false} == true ]]; then options+=(--propose); else options+=(--commit); fi

if ! git config user.email > /dev/null; then
  export GIT_AUTHOR_NAME=toolnexus GIT_AUTHOR_EMAIL=toolnexus@users.noreply.github.com
  export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
fi

base=$(git symbolic-ref --quiet --short HEAD || echo "${GITHUB_BASE_REF:-${GITHUB_REF_NAME:-main}}")
before=$(git rev-parse HEAD)
git switch --quiet --force-create "$branch"
dirty=$(git status --porcelain)
code=0
toolnexus dream "${homes[@]}" ${options[@]+"${options[@]}"} --format markdown > "$text" || code=$?
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then cat "$text" >> "$GITHUB_STEP_SUMMARY"; fi

changed=false
url=
if [[ $(git rev-parse HEAD) != "$before" ]]; then
  changed=true
  git push --quiet --force "$remote" "HEAD:refs/heads/$branch"
  url=$(gh pr list --head "$branch" --base "$base" --state open --json url --jq '.[0].url // ""')
  if [[ -n $url ]]; then
    gh pr edit "$url" --title "$title" --body-file "$text" > /dev/null
  else
    url=$(gh pr create --head "$branch" --base "$base" --title "$title" --body-file "$text")
  fi
  echo "pull request: $url" >&2
elif [[ $code -eq 0 && $(git status --porcelain) != "$dirty" ]]; then
  echo "the pass changed files, and git made no commit of them: the notices above tell why" >&2
  code=70
fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  {
    echo "changed=$changed"
    echo "exit-code=$code"
    echo "pull-request=$url"
  } >> "$GITHUB_OUTPUT"
fi
exit "$code"
